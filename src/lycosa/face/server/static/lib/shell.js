/** For every page: the switch between light and dark, `/` to go to the first search box, explanations that close. */
const root = document.documentElement;

/** If the menu is wider than the screen, scroll to the current entry. */
const menu = document.querySelector(".bar nav");
const current = menu?.querySelector("[aria-current]");
if (current) menu.scrollLeft = current.offsetLeft - (menu.clientWidth - current.offsetWidth) / 2;

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

/** An explanation stays open over the page until the person clicks elsewhere or presses Escape. */
const explained = (event) => [...document.querySelectorAll("details.what[open]")].filter((one) => event.type === "keydown" || !one.contains(event.target));
document.addEventListener("click", (event) => explained(event).forEach((one) => (one.open = false)));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const one of explained(event)) {
    one.open = false;
    one.querySelector("summary").focus();
  }
});
