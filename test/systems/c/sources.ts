/**
 * The tools of Clarvis agent-tools 0.5.0 as its registry declares them: names, types, defaults and bounds of their
 * parameters, and which are required, without the descriptions. `outline` and `check_syntax` are not here yet.
 */
interface Declared {
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

export const CLARVIS_TOOLS: Readonly<Record<string, Declared>> = {
  read_file: {
    properties: {
      path: { type: "string" },
      offset: { type: "integer" },
      limit: { type: "integer", minimum: 0 },
    },
    required: ["path"],
  },
  read_image: {
    properties: {
      path: { type: "string" },
    },
    required: ["path"],
  },
  read_files: {
    properties: {
      paths: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 64 },
    },
    required: ["paths"],
  },
  write_file: {
    properties: {
      path: { type: "string" },
      content: { type: "string" },
    },
    required: ["path", "content"],
  },
  edit_file: {
    properties: {
      path: { type: "string" },
      old_string: { type: "string", minLength: 1 },
      new_string: { type: "string" },
      replace_all: { type: "boolean", default: false },
    },
    required: ["path", "old_string", "new_string"],
  },
  multi_edit: {
    properties: {
      path: { type: "string" },
      edits: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          properties: {
            old_string: { type: "string" },
            new_string: { type: "string" },
            replace_all: { type: "boolean", default: false },
          },
          required: ["old_string", "new_string"],
        },
      },
    },
    required: ["path", "edits"],
  },
  apply_patch: {
    properties: {
      patch: { type: "string" },
    },
    required: ["patch"],
  },
  replace: {
    properties: {
      pattern: { type: "string" },
      replacement: { type: "string" },
      path: { type: "string" },
      glob: { type: "string" },
      ignore_case: { type: "boolean" },
      multiline: { type: "boolean" },
      dry_run: { type: "boolean", default: true },
    },
    required: ["pattern", "replacement"],
  },
  list_dir: {
    properties: {
      path: { type: "string" },
    },
    required: [],
  },
  glob: {
    properties: {
      pattern: { type: "string" },
      path: { type: "string" },
      respect_gitignore: { type: "boolean", default: true },
    },
    required: ["pattern"],
  },
  grep: {
    properties: {
      pattern: { type: "string" },
      path: { type: "string" },
      glob: { type: "string" },
      output_mode: { type: "string", enum: ["content", "files_with_matches", "count"], default: "files_with_matches" },
      ignore_case: { type: "boolean", default: false },
      multiline: { type: "boolean", default: false },
      context: { type: "integer", minimum: 0, default: 0 },
      before_context: { type: "integer", minimum: 0 },
      after_context: { type: "integer", minimum: 0 },
      head_limit: { type: "integer", minimum: 0 },
      offset: { type: "integer", minimum: 0, default: 0 },
    },
    required: ["pattern"],
  },
  diff: {
    properties: {
      from: { type: "string" },
      to: { type: "string" },
    },
    required: ["from", "to"],
  },
  bash: {
    properties: {
      command: { type: "string" },
      cwd: { type: "string" },
      timeout_ms: { type: "integer", minimum: 0 },
    },
    required: ["command"],
  },
  monitor_start: {
    properties: {
      command: { type: "string" },
      cwd: { type: "string" },
      ready_when: { type: "string" },
      ready_timeout_ms: { type: "integer", minimum: 0 },
    },
    required: ["command"],
  },
  monitor_poll: {
    properties: {
      id: { type: "string" },
      offset: { type: "integer", minimum: 0 },
      match: { type: "string" },
    },
    required: ["id"],
  },
  monitor_stop: {
    properties: {
      id: { type: "string" },
    },
    required: ["id"],
  },
  monitor_list: {
    properties: {},
    required: [],
  },
  move: {
    properties: {
      source: { type: "string" },
      destination: { type: "string" },
      overwrite: { type: "boolean", default: false },
    },
    required: ["source", "destination"],
  },
  copy: {
    properties: {
      source: { type: "string" },
      destination: { type: "string" },
      overwrite: { type: "boolean", default: false },
    },
    required: ["source", "destination"],
  },
  mkdir: {
    properties: {
      path: { type: "string" },
    },
    required: ["path"],
  },
  remove: {
    properties: {
      path: { type: "string" },
    },
    required: ["path"],
  },
  file_stat: {
    properties: {
      path: { type: "string" },
    },
    required: ["path"],
  },
  tree: {
    properties: {
      path: { type: "string" },
      depth: { type: "integer", minimum: 0 },
      respect_gitignore: { type: "boolean", default: true },
    },
    required: [],
  },
};
