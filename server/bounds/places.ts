/** Where what a caller wrote meets stored rows in the process of the server, and what bounds it. */

/** One place: the file that compares, and what one row may cost there. */
export interface Bounded {
  /** The file that asks the guard. */
  readonly file: string
  /** What the caller wrote, and what it meets: the words of a refusal, after "of". */
  readonly what: string
  /** How many rows there may be, and why. */
  readonly rows: string
}

/** The places that go through the guard. */
export const places = {
  'repository-files': {
    file: 'server/repositories/files.ts',
    what: 'the filters of files',
    rows: 'the files of a branch, 100,000 at most',
  },
  'repository-catalogue': {
    file: 'server/repositories/catalogue.ts',
    what: 'the search in the documents of repositories',
    rows: 'the documents of all repositories of an organization',
  },
  'binding-selection': {
    file: 'server/bindings/selection.ts',
    what: 'the path of the binding',
    rows: 'the files of a commit',
  },
  portal: {
    file: 'server/portal/list.ts',
    what: 'the search in the catalogue',
    rows: 'the public projects of an organization',
  },
  'project-search': {
    file: 'server/search/projects.ts',
    what: 'the search in projects',
    rows: 'the projects that match, 20,000 at most',
  },
  'rule-search': {
    file: 'server/search/rules.ts',
    what: 'the search in rules',
    rows: 'the rules that have findings in an organization',
  },
  'mcp-items': {
    file: 'server/specs/mcp-servers.ts',
    what: 'the search in what an MCP server offers',
    rows: 'the tools, resources and prompts of a surface of 8 MB at most',
  },
  'gateway-preview': {
    file: 'server/gateway-policy/store.ts',
    what: 'the policy on recorded events',
    rows: 'the newest 10,000 events of a week',
  },
  'gateway-rule': {
    file: 'server/gateway-policy/rules.ts',
    what: 'the expression on recorded events',
    rows: 'the newest 10,000 events of a week',
  },
} as const satisfies Readonly<Record<string, Bounded>>

export type PlaceName = keyof typeof places

/** Files that match texts of the configuration, of the service itself, or a constant number of times, each with the reason. */
export const exempt: Readonly<Record<string, string>> = {
  'server/storage/s3-objects.ts': 'the prefix of a bucket is a setting, and keys are of limited length',
  'server/openapi/examples.ts': 'patterns of the contract, against examples of the contract, before any request',
  'server/pull-requests/pushed.ts': 'a pattern of a constant, on one text',
  'server/bin/service.ts': 'the pattern of the contract, on one value of the request',
  'server/migration-plans/service.ts': 'a prefix of ours, on the keys of a request',
  'server/repositories/tree.ts': 'one folder on the files of a branch, which the guard has counted before',
  'server/specs/types.ts': 'twelve words against the 40 types that come with svc',
  'server/primitives/list.ts': 'one text of 200 characters against the 40 types that come with svc',
}
