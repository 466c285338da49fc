/** The tools that can be asked. */
import { apicurio } from './apicurio.ts'
import { jsonSchemaDiff } from './json-schema-diff.ts'
import { oasdiff } from './oasdiff.ts'
import { openapiDiff } from './openapi-diff.ts'
import { redocly } from './redocly.ts'
import type { Runner } from './runner.ts'
import { svc } from './svc.ts'

export const runners: readonly Runner[] = [svc, oasdiff, redocly, openapiDiff, jsonSchemaDiff, apicurio]
