import { describe, expect, it } from "vitest";
import { isPublicIp, judgeAddress } from "./mirror-address.ts";
import { isOutdated, openToken, sealToken } from "./mirror-token.ts";

const judge = (url: string, loopback = false) => judgeAddress(url, { loopback }).ok;

describe("the address of a mirror", () => {
  it.each([
    "https://git.example.org/me/memory.git",
    "https://github.com/me/memory",
    "https://93.184.216.34/x.git",
    "https://[2606:4700::1111]/x.git",
    "https://git.example.org:8443/a/b.git",
  ])("%s is public", (url) => expect(judge(url)).toBe(true));

  it.each([
    "http://git.example.org/me.git",
    "ssh://git@example.org/me.git",
    "file:///etc/passwd",
    "git@github.com:me/memory.git",
    "https://git.example.org",
    "https://git.example.org/",
    "https://me:secret@git.example.org/me.git",
    "https://git.example.org/me.git?x=1",
    "https://git.example.org/me.git#x",
    "https://localhost/me.git",
    "https://LOCALHOST./me.git",
    "https://127.0.0.1/me.git",
    "https://127.1/me.git",
    "https://2130706433/me.git",
    "https://0x7f000001/me.git",
    "https://0177.0.0.1/me.git",
    "https://10.0.0.1/x.git",
    "https://172.20.1.1/x.git",
    "https://192.168.1.1/x.git",
    "https://169.254.169.254/latest/x",
    "https://100.100.1.1/x.git",
    "https://0.0.0.0/x.git",
    "https://224.0.0.1/x.git",
    "https://[::1]/x.git",
    "https://[::]/x.git",
    "https://[::ffff:127.0.0.1]/x.git",
    "https://[::ffff:a00:1]/x.git",
    "https://[fe80::1]/x.git",
    "https://[fd00::1]/x.git",
    "https://[64:ff9b::7f00:1]/x.git",
    "https://[2002:7f00:1::]/x.git",
    "https://[2001::1]/x.git",
    "https://router/x.git",
    "https://nas.local/x.git",
    "https://db.internal/x.git",
    "https://x.localhost/x.git",
    "https://1.0.0.127.in-addr.arpa/x.git",
    "",
    "no address",
    `https://a.example.org/${"x".repeat(2000)}`,
  ])("%s is refused", (url) => expect(judge(url)).toBe(false));

  it("this machine only where tests allow it", () => {
    for (const url of [
      "http://127.0.0.1:8080/x.git",
      "http://localhost:8080/x.git",
      "http://[::1]:8080/x.git",
      "https://127.0.0.1/x.git",
    ])
      expect([judge(url), judge(url, true)]).toEqual([false, true]);
    for (const url of ["http://10.0.0.1/x.git", "http://git.example.org/x.git", "https://192.168.0.1/x.git", "http://127.0.0.1/"])
      expect(judge(url, true)).toBe(false);
  });

  it("what is no IP address is told apart from one that is not public", () => {
    expect(["8.8.8.8", "10.1.1.1", "example.org", "256.1.1.1", "2606::1", "::1", "1:2:3", "2001:db8::1"].map(isPublicIp)).toEqual(
      [true, false, null, null, true, false, null, false],
    );
  });
});

describe("the token of a mirror at rest", () => {
  it("is sealed where there is a secret, and opened by it alone", () => {
    const resting = sealToken("ghp_canary", ["one"]);
    expect(resting).not.toContain("canary");
    expect(openToken(resting, ["one"])).toBe("ghp_canary");
    expect(openToken(resting, ["two", "one"])).toBe("ghp_canary");
    expect([openToken(resting, ["two"]), openToken(resting, [])]).toEqual([null, null]);
    expect(openToken(`${resting.slice(0, -4)}AAA=`, ["one"])).toBeNull();
    expect(sealToken("ghp_canary", ["one"])).not.toBe(resting);
  });

  it("is sealed anew when a secret comes or changes", () => {
    const clear = sealToken("ghp_canary", []);
    expect([openToken(clear, []), openToken(clear, ["one"]), isOutdated(clear, []), isOutdated(clear, ["one"])]).toEqual([
      "ghp_canary",
      "ghp_canary",
      false,
      true,
    ]);
    expect([isOutdated(sealToken("x", ["one"]), ["one"]), isOutdated(sealToken("x", ["one"]), ["two", "one"])]).toEqual([
      false,
      true,
    ]);
  });
});
