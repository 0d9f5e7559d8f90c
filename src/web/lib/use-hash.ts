// What stands behind # in the address, kept up with also where only that part changes.
import { useLocationProperty } from "wouter/use-browser-location";

export function useHash(): string {
  return useLocationProperty(() => location.hash.slice(1));
}
