import { diff } from '../../../src/diff/diff.ts'
import type { Change } from '../../../src/diff/change.ts'
import type { ProfileName } from '../../../src/diff/profile.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'

/** The changes between two documents. */
export const changesOf = (base: Json, head: Json, profile: ProfileName = 'standard'): readonly Change[] =>
  diff(
    parseDocument(JSON.stringify(base), { source: 'base.json' }),
    parseDocument(JSON.stringify(head), { source: 'head.json' }),
    { profile, asOf: '2026-01-01' },
  ).changes

/** An API description with one operation, POST /a. */
export const withOperation = (operation: object, rest: object = {}, openapi = '3.1.1'): Json => ({
  openapi,
  info: { title: 'A', version: '1' },
  paths: { '/a': { post: { responses: { '200': { description: 'ok' } }, ...operation } } },
  ...rest,
})

/** An API description whose one operation takes a JSON body of this schema. */
export const withRequest = (schema: Json, openapi = '3.1.1'): Json =>
  withOperation({ requestBody: { required: true, content: { 'application/json': { schema } } } }, {}, openapi)

/** An API description whose one operation answers with JSON of this schema. */
export const withResponse = (schema: Json, openapi = '3.1.1'): Json =>
  withOperation(
    { responses: { '200': { description: 'ok', content: { 'application/json': { schema } } } } },
    {},
    openapi,
  )
