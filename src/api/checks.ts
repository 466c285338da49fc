import { Type, type Static } from '@sinclair/typebox'
import { endpoint, type Access } from './endpoint.ts'
import { agentHeaders } from './kit.ts'
import { bodyOf, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { ToolTokens } from './tool-tokens.ts'

/** A document to be checked: its text, or where a version of it is stored. */
export const CheckedDocument = titled('CheckedDocument', {
  ...bodyOf({
    text: Type.Optional(Type.String({ minLength: 1, description: 'JSON or YAML, at most 10 MB.' })),
    spec: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 300,
        description: 'tenant/project or tenant/project/version, instead of a text.',
      }),
    ),
    version: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Label or slug of the version; the latest published one when omitted.',
      }),
    ),
  }),
  examples: [{ text: 'openapi: 3.1.0\ninfo:\n  title: Train Travel API\n  version: 1.4.0\npaths: {}\n' }],
})
export type CheckedDocument = Static<typeof CheckedDocument>

const TextEditShape = Type.Object({
  line: Type.Integer({ description: 'Counted from 1.' }),
  column: Type.Integer({ description: 'Counted from 1, in UTF-16 units.' }),
  end_line: Type.Integer(),
  end_column: Type.Integer({ description: 'The first column after what is replaced.' }),
  text: Type.String(),
})

export const CheckFinding = titled(
  'CheckFinding',
  Type.Object({
    code: Type.String(),
    severity: oneOf(['error', 'warning', 'info', 'hint']),
    message: Type.String(),
    path: Type.Array(Type.Union([Type.String(), Type.Integer()])),
    line: Type.Integer(),
    column: Type.Integer(),
    fingerprint: Type.String(),
    fix: Type.Optional(
      Type.Object({
        description: Type.String(),
        edits: Type.Array(TextEditShape, { description: 'Positions in the text before any of them.' }),
        visible: orNull(oneOf(['removals', 'non-breaking'], 'What clients can notice of it; null: nothing.')),
      }),
    ),
  }),
)
export type CheckFinding = Static<typeof CheckFinding>

export const CheckChange = titled(
  'CheckChange',
  Type.Object({
    id: Type.String({ description: 'Of the rule that explains the change.' }),
    severity: oneOf(['breaking', 'non-breaking', 'docs-only']),
    classification: oneOf(['safe', 'breaking', 'unknown'], 'unknown: undecided, never to be taken for safe.'),
    operation: orNull(Type.String({ description: 'Method and path, as "GET /pets".' })),
    path: orNull(Type.String({ description: 'JSON Pointer: in the head document, else in the base document.' })),
    message: Type.String(),
    witness: Type.Optional(
      Type.Object({
        value: Type.Unknown(),
        at: Type.String(),
        accepted_by: oneOf(['base', 'head']),
        reason: Type.String(),
      }),
    ),
    fingerprint: Type.String(),
  }),
)
export type CheckChange = Static<typeof CheckChange>

const access: Access = {
  anonymous: true,
  reason: 'it reads what is sent along and public versions; credentials add the versions of their organization',
  credentials: 'optional',
}
// Two texts of 10 MB, in which many signs are written as escapes.
const bodyLimit = 32 * 1024 * 1024
const errors = [
  'capability_disabled',
  'checks-exceeded',
  'spec-not-found',
  'document-invalid',
  'usage',
  'body-too-large',
  'analysis-stopped',
] as const
const from = Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000, description: 'How many to skip.' }))
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 }))
const schema = Type.Unknown({
  description:
    'The schema itself, or a document: {"text"}, or {"spec", "version", "schema"} with the name of a schema in it.',
  examples: [{ type: 'integer', minimum: 1 }],
})

/** Questions about documents that change nothing. Each serves one tool of agents. */
export const checksApi = {
  lint: endpoint({
    id: 'checks.lint',
    origin: 'own',
    method: 'POST',
    path: '/v1/checks/lint',
    summary: 'Lint a text or a version; the findings whose fix gains the most points come first',
    access,
    headers: agentHeaders,
    body: bodyOf({
      document: CheckedDocument,
      guide: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Name of a builtin guide, or id of one of the organization; the one that applies when omitted.',
        }),
      ),
      from,
      limit,
    }),
    bodyLimit,
    response: Type.Object({
      guide: Type.String(),
      grade: orNull(Type.String()),
      score: orNull(Type.Number()),
      total: Type.Integer(),
      tools: Type.Optional(ToolTokens),
      findings: Type.Array(CheckFinding),
    }),
    errors: [...errors, 'format-unknown', 'style-guide-not-found'],
  }),
  diff: endpoint({
    id: 'checks.diff',
    origin: 'own',
    method: 'POST',
    path: '/v1/checks/diff',
    summary: 'Compare two documents, each a text or a version; the worst changes come first',
    description:
      'With a version of the own organization as base, `consumers` names the registered consumers that a change can break.',
    access,
    headers: agentHeaders,
    body: bodyOf({
      base: CheckedDocument,
      head: CheckedDocument,
      direction: Type.Optional(
        oneOf(['backward', 'forward', 'full'], 'For JSON Schema: whose values have to stay valid.'),
      ),
      from,
      limit,
    }),
    bodyLimit,
    response: Type.Object({
      verdict: oneOf(
        ['safe', 'breaking', 'unknown'],
        'unknown: nothing is proven to break, and something is undecided.',
      ),
      breaking: Type.Integer({ description: 'Changes that break or are undecided.' }),
      total: Type.Integer(),
      changes: Type.Array(CheckChange),
      consumers: Type.Array(
        Type.Object({
          handle: Type.String(),
          name: Type.String(),
          status: oneOf(['broken', 'unknown', 'touched', 'unaffected']),
        }),
        { description: 'For a base of the own organization, where the caller may see its consumers.' },
      ),
    }),
    errors,
  }),
  contains: endpoint({
    id: 'checks.contains',
    origin: 'own',
    method: 'POST',
    path: '/v1/checks/contains',
    summary: 'Decide whether every value of one JSON Schema is a value of another, with one that is not',
    access,
    headers: agentHeaders,
    body: bodyOf({
      a: schema,
      b: schema,
      dialect: Type.Optional(
        oneOf(
          ['2020-12', '2019-09', 'draft-07', 'draft-06', 'draft-04'],
          'Of schemas without "$schema"; 2020-12 when omitted.',
        ),
      ),
    }),
    bodyLimit,
    response: Type.Object({
      contains: orNull(Type.Boolean({ description: 'null: undecided.' })),
      counterexample: Type.Optional(Type.Unknown({ description: 'A value of a that is no value of b.' })),
      reason: Type.Optional(Type.String()),
    }),
    errors: [...errors, 'class-not-found'],
  }),
  explain: endpoint({
    id: 'checks.explain',
    origin: 'own',
    method: 'GET',
    path: '/v1/checks/explain',
    summary: 'Explain an error code, a lint rule or a change rule',
    access,
    headers: agentHeaders,
    query: Type.Object({ id: Type.String({ minLength: 1, maxLength: 200, examples: ['operation-description'] }) }),
    response: Type.Object({ id: Type.String(), kind: Type.String(), text: Type.String() }),
    errors: ['capability_disabled', 'usage'],
  }),
} as const
