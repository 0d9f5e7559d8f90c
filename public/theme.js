// Sets a forced theme before the first paint; the app's settings write it. Runs alone, so that no inline script is needed.
try {
  const theme = localStorage.getItem("reverie.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is closed: the system's theme stands.
}
