/* Applies the chosen theme, light or dark, before anything is drawn. */
(() => {
  const kept = localStorage.getItem("theme");
  if (kept === "dark" || kept === "light") document.documentElement.dataset.theme = kept;
})();
