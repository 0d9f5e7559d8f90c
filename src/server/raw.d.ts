// A file of the repository as text: the bundler puts it into the Worker.
declare module "*?raw" {
  const text: string;
  export default text;
}
