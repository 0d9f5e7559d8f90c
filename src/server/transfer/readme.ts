// What the README of an export says to whoever opens it without the app.

export const README = `# A memory

This archive is a whole Reverie memory. Everything in it is plain text or a format with many readers.

- \`memory.bundle\`: the memory with its history, as a git bundle. \`git clone memory.bundle memory\` gives a repository.
- \`memory/\`: the files as they stood when the archive was made: Markdown, one fact a line.
- \`conversations/\`: one JSON file each, with the dates of the messages.
- \`notes.json\`: your own notes.
- \`tombstones.json\`: that something was forgotten and when, never what.
- \`tombstone-key.json\`, where you gave a passphrase: what keeps it forgotten, sealed (scrypt, AES-256-GCM). Without it an import
  elsewhere cannot tell what you asked to forget, and says so.
- \`ledger.csv\`: each call of a model and what it cost.
- \`settings.json\`: your settings. Keys, tokens and passkeys never leave the app.

To bring it back, open Settings, Your data, and drop the archive there. Into an empty memory it comes with its history and
the same commit ids; into any other it is laid beside what stands there, and nothing stands twice.
`;
