// Ends the runtime when the process that started it is gone without a word (killed, crashed): an orphan would keep the port and write to the data folder.
// Standard input is a pipe from that process; the system closes it, however the process ends.
const runtime = Number(process.argv[2]);
process.stdin.resume();
process.stdin.once("end", () => {
  try {
    process.kill(runtime, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
  process.exit(0);
});
