/** What every page has: the switch between light and dark, and `/` that leads to the first search box. */
const root = document.documentElement;

document.getElementById("theme")?.addEventListener("click", () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
});

document.addEventListener("keydown", (event) => {
  const box = document.querySelector('input[type="search"]');
  const busy = /^(input|textarea|select)$/i.test(event.target.tagName);
  if (event.key === "/" && box && !busy && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    box.focus();
  }
});
