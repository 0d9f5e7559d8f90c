// What no path in a repository may be, whoever writes it. The full allow-list is judged at the gates.
import { AppError } from "../../shared/errors.ts";

/** The parts of a path. Throws AppError("bad-path") for one that would break a tree or a working copy. */
export function partsOf(path: string): string[] {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".." || part.toLowerCase() === ".git" || part.includes("\0")))
    throw new AppError("bad-path", `“${path}” cannot be a path in the repository.`, { path });
  return parts;
}
