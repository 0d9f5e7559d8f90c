// The day of reading, in the address: ?asOf= and ?knownAt=. It can be sent, and Back takes it back.
import { useCallback, useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import type { Reading } from "../ui/DateBar.tsx";
import { today } from "./dates.ts";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function useReading(): { reading: Reading; set: (reading: Reading) => void; suffix: string } {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const reading = useMemo((): Reading => {
    const params = new URLSearchParams(search);
    const read = (key: string) => {
      const value = params.get(key);
      return value && DAY.test(value) && value !== today() ? value : null;
    };
    return { asOf: read("asOf"), knownAt: read("knownAt") };
  }, [search]);
  const set = useCallback(
    (next: Reading) => {
      const params = new URLSearchParams(search);
      for (const key of ["asOf", "knownAt"] as const) {
        const value = next[key];
        if (value === null) params.delete(key);
        else params.set(key, value);
      }
      const text = params.toString();
      navigate(text === "" ? path : `${path}?${text}`, { replace: true });
    },
    [search, path, navigate],
  );
  const params = new URLSearchParams();
  if (reading.asOf) params.set("asOf", reading.asOf);
  if (reading.knownAt) params.set("knownAt", reading.knownAt);
  const text = params.toString();
  return { reading, set, suffix: text === "" ? "" : `?${text}` };
}
