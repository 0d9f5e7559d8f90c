// Settings, in parts. Each change is saved when it is made; what cannot be saved says so and goes back.
import { useState, type ReactNode } from "react";
import { Link } from "wouter";
import type { Health, Settings } from "../../shared/protocol.ts";
import { setTheme, currentTheme, type Theme } from "../app/theme.ts";
import { openKeys } from "../app/overlays.ts";
import { api, troubleOf } from "../lib/api.ts";
import { clock } from "../lib/dates.ts";
import { keyText, useRegisteredKeys } from "../lib/hotkeys.ts";
import { invalidate, provide, useResource } from "../lib/resource.ts";
import { dollars, grouped } from "../lib/words.ts";
import { Contents } from "../ui/Contents.tsx";
import { Loading } from "../ui/Loading.tsx";
import { Page } from "../ui/Page.tsx";
import { Problem } from "../ui/Problem.tsx";
import { warn } from "../ui/Toasts.tsx";
import { AccountPart } from "./AccountPart.tsx";
import { Choice, Row, Saved, Switch, TextArea, TextField } from "./controls.tsx";
import { DataPart, Farewell } from "./DataPart.tsx";
import { DoorsPart } from "./DoorsPart.tsx";
import { OwnModelPart } from "./OwnModelPart.tsx";
import "./settings.css";

const PARTS = [
  ["memory", "Memory and dreams"],
  ["models", "Models and prices"],
  ["account", "Account"],
  ["data", "Your data"],
  ["doors", "Doors: git, MCP, tokens"],
  ["look", "Look"],
  ["keys", "Keys"],
] as const;

type Patch = (part: Partial<Settings>) => Promise<boolean>;

function zones(): string[] {
  return typeof Intl.supportedValuesOf === "function" ? Intl.supportedValuesOf("timeZone") : [];
}

function MemoryPart({ settings, patch }: { settings: Settings; patch: Patch }) {
  const { dream } = settings;
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const when = dream.mode === "off" ? "off" : dream.nightly ? (dream.everyHours >= 24 ? "night" : "both") : "hours";
  return (
    <>
      <h2 className="section">Memory</h2>
      <Row label="Remembering" help="Read only answers from what is there and writes nothing. Off does neither.">
        <Choice
          label="Remembering"
          value={settings.memory}
          options={[
            ["on", "On"],
            ["read-only", "Read only"],
            ["off", "Off"],
          ]}
          set={(memory) => void patch({ memory })}
        />
      </Row>
      <Row label="Your time zone" help="Says when “today” ends, for plans and for the dream at night.">
        <select
          className="field"
          aria-label="Your time zone"
          value={settings.zone ?? ""}
          onChange={(event) => void patch({ zone: event.target.value === "" ? null : event.target.value })}
        >
          <option value="">As this device: {here.replace(/_/g, " ")}</option>
          {zones().map((zone) => (
            <option key={zone} value={zone}>
              {zone.replace(/_/g, " ").replace("/", ", ")}
            </option>
          ))}
        </select>
      </Row>
      <Row label="How it should answer" help="Stands in every prompt, and not in the memory.">
        <span className="meta">{grouped(settings.instructions.length)} of 4,000 characters</span>
      </Row>
      <TextArea
        label="How it should answer"
        value={settings.instructions}
        max={4000}
        set={(instructions) => patch({ instructions })}
      />
      <h2 className="section">Dreams</h2>
      <Row label="When" help="A dream only runs when there is something new to read. An unchanged day costs nothing.">
        <Choice
          label="When"
          value={when}
          options={[
            ["both", `At night, and every ${dream.everyHours >= 24 ? 4 : dream.everyHours} hours`],
            ["night", "At night, 03:00"],
            ["hours", `Every ${dream.everyHours >= 24 ? 4 : dream.everyHours} hours`],
            ["off", "Only when I say so"],
          ]}
          set={(next) => {
            const hours = dream.everyHours >= 24 ? 4 : dream.everyHours;
            const mode = next === "off" ? "off" : dream.mode === "off" ? "automatic" : dream.mode;
            void patch({
              dream: { ...dream, mode, nightly: next === "both" || next === "night", everyHours: next === "night" ? 24 : hours },
            });
          }}
        />
      </Row>
      <Row
        label="Wait for me"
        help="Every dream becomes a proposal that you accept line by line. Without this, only a dream over its limits waits."
      >
        <Switch
          label="Wait for me"
          on={dream.mode === "review"}
          disabled={dream.mode === "off"}
          set={(on) => void patch({ dream: { ...dream, mode: on ? "review" : "automatic" } })}
        />
      </Row>
      <Row
        label="Lines that nobody used"
        help="After so many days without use, a dream looks at a line and asks whether it still matters."
      >
        <TextField
          label="Days without use"
          value={String(dream.unusedDays)}
          width="6rem"
          read={(text) => (/^\d+$/.test(text.trim()) && Number(text) >= 7 && Number(text) <= 3650 ? Number(text) : null)}
          wrong="7 to 3,650 days"
          set={(unusedDays) => patch({ dream: { ...dream, unusedDays } })}
          after="days"
        />
      </Row>
      <Row label="A dream may cost" help="It stops there and keeps what it has done.">
        <TextField
          label="A dream may cost"
          value={dream.maxUsd.toFixed(2)}
          width="6rem"
          read={(text) => {
            const usd = Number(text.trim().replace(/^\$/, "").replace(",", "."));
            return usd >= 0.01 && usd <= 100 ? usd : null;
          }}
          wrong="$0.01 to $100"
          set={(maxUsd) => patch({ dream: { ...dream, maxUsd } })}
          after="dollars"
        />
      </Row>
      <Row
        label="Ask about rewordings"
        help="One question to the model where a line is close to something that you forgot. It shows the model the forgotten text."
      >
        <Switch
          label="Ask about rewordings"
          on={dream.rewordings}
          set={(rewordings) => void patch({ dream: { ...dream, rewordings } })}
        />
      </Row>
      <Row label="A word to the dreamer" help="Read before every dream, after the rules.">
        <span className="meta">{grouped(dream.instructions.length)} of 2,000 characters</span>
      </Row>
      <TextArea
        label="A word to the dreamer"
        value={dream.instructions}
        max={2000}
        set={(instructions) => patch({ dream: { ...dream, instructions } })}
      />
      <Farewell />
    </>
  );
}

function priceOf(usd: number | null): string {
  return usd === null ? "price unknown" : usd === 0 ? "no cost" : `$${usd} a million tokens in`;
}

function ModelsPart({ settings, patch, health }: { settings: Settings; patch: Patch; health: Health | undefined }) {
  const model = (text: string) => (text.trim().length <= 200 ? (text.trim() === "" ? null : text.trim()) : undefined);
  const { data: menu, error: noMenu } = useResource("models", (signal) => api.models(signal));
  // What is told first decides where the rest stands: it is waited for, so that nothing moves under a finger.
  if (health === undefined || (menu === undefined && !noMenu)) return <Loading />;
  const local = health?.mode === "local" ? { ...health.models, offline: health.offline, own: false } : undefined;
  const answers = menu?.answers ?? local;
  const otherwise = menu?.otherwise ?? local;
  const choices = (menu?.items ?? []).map((one) => ({
    value: one.id,
    label:
      one.provider === "ollama" ? "Ollama, on this machine" : one.provider === "own" ? "your own endpoint" : priceOf(one.inUsd),
  }));
  return (
    <>
      <p className="lede" style={{ marginTop: 8 }}>
        {answers === undefined
          ? ""
          : answers.offline
            ? "Answers come from the built-in offline model: rules instead of a network, no key, no cost. It understands simple sentences."
            : `Answers come from ${answers.chat}, dreams from ${answers.dream}${answers.own ? ", at your own endpoint" : ""}.`}
      </p>
      {health?.mode === "hosted" ? <OwnModelPart /> : null}
      {answers?.offline && health?.mode === "local" ? (
        <>
          <h2 className="section">Another model</h2>
          <p className="lede" style={{ font: "var(--t-note)" }}>
            Start the app with the address and the key of any OpenAI-compatible endpoint. Nothing that is kept changes by that.
          </p>
          <pre className="snippet">
            {"OPENAI_BASE_URL=https://…/v1\nOPENAI_API_KEY=…\nCHAT_MODEL=…\nDREAM_MODEL=…\nnpm start"}
          </pre>
        </>
      ) : null}
      <h2 className="section">Models</h2>
      <Row label="For conversations" help={`Empty: ${otherwise?.chat ?? "as configured"}.`}>
        <TextField
          label="Model for conversations"
          value={settings.chatModel ?? ""}
          width="12rem"
          read={(text) => model(text) ?? (model(text) === null ? null : undefined)}
          wrong="at most 200 characters"
          choices={choices}
          set={(chatModel) => patch({ chatModel })}
          placeholder={otherwise?.chat ?? ""}
        />
      </Row>
      <Row label="For dreams" help={`Empty: ${otherwise?.dream ?? "as configured"}.`}>
        <TextField
          label="Model for dreams"
          value={settings.dreamModel ?? ""}
          width="12rem"
          read={(text) => model(text) ?? (model(text) === null ? null : undefined)}
          wrong="at most 200 characters"
          choices={choices}
          set={(dreamModel) => patch({ dreamModel })}
          placeholder={otherwise?.dream ?? ""}
        />
      </Row>
      <h2 className="section">Money</h2>
      <Row
        label="A month may cost"
        help="Answers and dreams stop there, and say so. A call without a known price is counted in tokens."
      >
        <TextField
          label="A month may cost"
          value={dollars(settings.capUsd, 2)}
          width="6rem"
          read={(text) => {
            const value = Number(text.replace(/[$\s]/g, "").replace(",", "."));
            return Number.isFinite(value) && value >= 0 && value <= 10_000 ? value : undefined;
          }}
          wrong="$0 to $10,000"
          set={(capUsd) => patch({ capUsd })}
        />
      </Row>
      <p className="acts" style={{ marginTop: 16 }}>
        <Link className="act strong" href="/costs">
          See what was spent
        </Link>
      </p>
    </>
  );
}

function LookPart() {
  const [theme, set] = useState<Theme>(currentTheme());
  return (
    <>
      <h2 className="section">Light and dark</h2>
      <Row label="Theme" help="The system’s, unless you choose one.">
        <Choice
          label="Theme"
          value={theme}
          options={[
            ["system", "As the system"],
            ["light", "Light"],
            ["dark", "Dark"],
          ]}
          set={(next) => {
            setTheme(next);
            set(next);
          }}
        />
      </Row>
    </>
  );
}

function KeysPart() {
  const keys = useRegisteredKeys();
  const seen = new Set<string>();
  return (
    <>
      <p className="lede" style={{ marginTop: 8 }}>
        Press <kbd>?</kbd> anywhere for the keys of that page.
      </p>
      <table style={{ marginTop: 20, maxWidth: "var(--measure)" }}>
        <tbody>
          {keys
            .filter((hotkey) => !seen.has(hotkey.keys) && seen.add(hotkey.keys))
            .map((hotkey) => (
              <tr key={hotkey.keys}>
                <td>{hotkey.label}</td>
                <td className="r">
                  <kbd>{keyText(hotkey.keys)}</kbd>
                </td>
              </tr>
            ))}
        </tbody>
      </table>
      <p className="acts" style={{ marginTop: 12 }}>
        <button type="button" className="act" onClick={openKeys}>
          Open the sheet
        </button>
      </p>
    </>
  );
}

export function SettingsScreen({ tab }: { tab: string }) {
  const { data, error, loading, reload } = useResource<Settings>("settings", (signal) => api.settings(signal));
  const health = useResource<Health>("health", (signal) => api.health(signal));
  const [saved, setSaved] = useState<string | null>(null);
  // An account is there where somebody has to sign in.
  const parts = PARTS.filter(([name]) => name !== "account" || health.data?.mode === "hosted");
  const part = parts.find(([name]) => name === tab) ?? (tab === "account" && !health.data ? PARTS[2] : PARTS[0]);
  const patch: Patch = async (change) => {
    const before = data;
    if (before) provide<Settings>("settings", { ...before, ...change });
    try {
      provide<Settings>("settings", await api.patchSettings(change));
      if ("chatModel" in change || "dreamModel" in change) invalidate("models");
      setSaved(clock(new Date().toISOString()));
      return true;
    } catch (problem) {
      if (before) provide<Settings>("settings", before);
      warn(`Not saved. ${troubleOf(problem).message}`);
      return false;
    }
  };
  let body: ReactNode = null;
  if (part[0] === "look") body = <LookPart />;
  else if (part[0] === "keys") body = <KeysPart />;
  else if (part[0] === "data") body = <DataPart />;
  else if (part[0] === "account") body = health.data ? <AccountPart /> : <Loading label="Reading the account" />;
  else if (part[0] === "doors") body = <DoorsPart health={health.data} />;
  else if (loading) body = <Loading label="Reading the settings" />;
  else if (error && !data) body = <Problem what="The settings could not be read." trouble={error} retry={reload} />;
  else if (data)
    body =
      part[0] === "models" ? (
        <ModelsPart settings={data} patch={patch} health={health.data} />
      ) : (
        <MemoryPart settings={data} patch={patch} />
      );
  return (
    <>
      <Contents label="Settings, parts" title="Settings">
        <ul>
          {parts.map(([name, label]) => (
            <li key={name}>
              <Link className="row" href={`/settings/${name}`} aria-current={name === part[0] ? "page" : undefined}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </Contents>
      <Page
        title={part[1]}
        where={
          <p className="where">
            Settings / <b>{part[1]}</b>
          </p>
        }
        actions={<Saved at={saved} />}
      >
        <article className="leaf flush">
          <h1>{part[1]}</h1>
          {body}
        </article>
      </Page>
    </>
  );
}
