// Before anything is drawn: the colours that were chosen, or that the system asks for.
(() => {
  const asks = (/** @type {string} */ query) => matchMedia(query).matches;
  const choose = () => {
    let chosen = "auto";
    try {
      chosen = localStorage.getItem("sapper.theme") ?? "auto";
    } catch {
      // Not allowed to keep anything: as the system asks.
    }
    const system = asks("(prefers-contrast: more)") ? "contrast" : asks("(prefers-color-scheme: dark)") ? "dark" : "light";
    document.documentElement.dataset.theme = chosen === "auto" ? system : chosen;
    dispatchEvent(new Event("themechange"));
  };
  for (const query of ["(prefers-contrast: more)", "(prefers-color-scheme: dark)"]) matchMedia(query).addEventListener("change", choose);
  addEventListener("themechoice", choose);
  choose();
})();
