/** What the design tools are called with. */
import { Type, type Static } from '@sinclair/typebox'
import { argumentsOf, cursor, maxTokens } from '../../../mcp/fields.ts'

const anEdit = Type.Object(
  {
    op: Type.Optional(Type.Union([Type.Literal('add'), Type.Literal('remove'), Type.Literal('replace')])),
    path: Type.Optional(
      Type.String({
        description: 'JSON Pointer, or anchor: "GET /pets#parameters/query:limit", "schema:Pet#properties/name"',
      }),
    ),
    pointer: Type.Optional(Type.String()),
    anchor: Type.Optional(Type.String()),
    value: Type.Optional(Type.Unknown({ description: 'Without it the place is removed' })),
  },
  { additionalProperties: false },
)

export const editArguments = argumentsOf({
  file: Type.String({ description: 'From the folder of svc.yaml, or the name of an API' }),
  edits: Type.Optional(Type.Array(anEdit, { minItems: 1, maxItems: 500 })),
  overlay: Type.Optional(Type.Unknown({ description: 'Instead of edits: an Overlay 1.0 or 1.1 document' })),
  into: Type.Optional(Type.String({ description: 'New overlay file that gets the edit, in place of file' })),
  expected_digest: Type.Optional(Type.String({ description: 'digest of the last answer; needed to write' })),
  dry_run: Type.Optional(Type.Boolean({ default: true })),
  accept: Type.Optional(Type.Array(Type.String(), { description: 'Fingerprints of changes that may break' })),
  max_tokens: maxTokens,
})
export type EditArguments = Static<typeof editArguments>
/** An edit as it is sent: its place has one of three names. */
export type AskedEdit = Static<typeof anEdit>

export const pageArguments = argumentsOf({ file: Type.String(), cursor, max_tokens: maxTokens })
export type PageArguments = Static<typeof pageArguments>

export const convertArguments = argumentsOf({ file: Type.String(), to: Type.String(), cursor, max_tokens: maxTokens })
export type ConvertArguments = Static<typeof convertArguments>

export const exampleArguments = argumentsOf({
  file: Type.String(),
  operation: Type.String({ description: '"GET /pets", or operationId' }),
  status: Type.Optional(Type.String({ description: 'Of the answer' })),
  max_tokens: maxTokens,
})
export type ExampleArguments = Static<typeof exampleArguments>

export const stubArguments = argumentsOf({ file: Type.String(), operation: Type.String() })
export type StubArguments = Static<typeof stubArguments>
