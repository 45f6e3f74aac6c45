/* Before anything is drawn: what the person chose, light or dark. */
(() => {
  const kept = localStorage.getItem("theme");
  if (kept === "dark" || kept === "light") document.documentElement.dataset.theme = kept;
})();
