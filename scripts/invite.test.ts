import { expect, test } from "vitest";
import { readInvite } from "../src/server/http/invite.ts";
// @ts-expect-error a script without types
import { ownersInvite } from "./invite.mjs";

test("the script's invite is one that the server reads, for as long as it says", () => {
  const invite = ownersInvite("the secret", 7) as string;
  expect(readInvite(invite, ["the secret"], Date.now())).toMatchObject({ owner: true });
  expect(readInvite(invite, ["another"], Date.now())).toBeNull();
  expect(readInvite(invite, ["new", "the secret"], Date.now())).toMatchObject({ owner: true });
  expect(readInvite(invite, ["the secret"], Date.now() + 8 * 24 * 60 * 60_000)).toBeNull();
});
