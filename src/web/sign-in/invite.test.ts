import { expect, test } from "vitest";
import { inviteIn, isOwnersInvite } from "./invite.ts";

const made = (owner: boolean) =>
  `rvi_${btoa(JSON.stringify({ i: "a", e: 1, ...(owner ? { o: 1 } : {}) })).replace(/=+$/, "")}.c2lnbmVk`;

test("an invite is read out of the address, and the owner's is known as such", () => {
  expect(inviteIn(`#invite=${made(true)}`)).toBe(made(true));
  expect(inviteIn("#m3")).toBeNull();
  expect(isOwnersInvite(made(true))).toBe(true);
  expect(isOwnersInvite(made(false))).toBe(false);
  expect(isOwnersInvite("rvi_%%%")).toBe(false);
});
