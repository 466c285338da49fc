/** Rulesets as documents of an editor: what is wrong with them, at its place. */
import { dirname } from 'node:path'
import type { Document } from '../../src/document/document.ts'
import { formatPointer } from '../../src/document/pointer.ts'
import type { Finding } from '../../src/lint/finding.ts'
import { fingerprintOf } from '../../src/lint/fingerprint.ts'
import { readRuleset } from '../../src/lint/read-ruleset.ts'
import { functionsFor, loaderFor } from '../lint/rulesets.ts'
import type { Guides } from './guides.ts'
import { isFile } from './store.ts'

const findingOf = (
  { code, severity, message, path, range }: Document['problems'][number],
  source: string,
): Finding => ({
  code: code === 'syntax' ? 'parser' : code,
  severity,
  message,
  path,
  pointer: formatPointer(path),
  source,
  range,
  fingerprint: fingerprintOf(code, source, path),
  documentationUrl: null,
  fix: null,
})

/** Everything that is wrong with a ruleset, as "svc lint --guide" says it. */
export async function rulesetFindings(document: Document, { around, choice }: Guides): Promise<Finding[]> {
  const { source, problems, value } = document
  const own = problems.map((it) => findingOf(it, source))
  if (value === null) return own
  const cwd = isFile(source) ? dirname(source) : choice.folder
  const read = { ...around, cwd, runsFunctions: choice.runsFunctions, onFailure: () => {} }
  const found = await readRuleset(document, loaderFor(read), { functions: functionsFor(read) })
  return [...own, ...found.problems.filter((it) => it.source === source).map((it) => findingOf(it, source))]
}
