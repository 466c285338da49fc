/** Rulesets and documents. Spectral's findings for each pair are recorded. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument } from '../../../../src/document/parse.ts'
import { type Finding, severities } from '../../../../src/lint/finding.ts'
import { lint } from '../../../../src/lint/lint.ts'
import { readRuleset } from '../../../../src/lint/read-ruleset.ts'
import { selectRules } from '../../../../src/lint/ruleset.ts'
import written from './rulesets.json' with { type: 'json' }

export const agreementRoot = import.meta.dir
export const rulesets: Readonly<Record<string, object>> = written

/** What is recorded of a pair: a count and a digest where svc finds the same, else the lines that differ. */
export type Recorded =
  | string
  | { readonly spectral: readonly string[]; readonly svc: readonly string[]; readonly same: number }

interface Line {
  readonly severity: number
  readonly code: string
  readonly path: readonly string[]
  readonly range: string
  readonly message: string
}

// Rules with messages of svc's own, which say more: docs/spectral.md names them.
const ownMessages = new Set(['oas2-schema', 'oas3-schema', 'arazzo-document-schema', 'parser', 'invalid-ref'])

/** A finding as one line. */
export const compared = ({ severity, code, path, range, message }: Line): string =>
  `${severity} ${code} ${JSON.stringify(path)} ${range} ${ownMessages.has(code) ? '' : message}`.trimEnd()

export const digestOfLines = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)

/** A finding of svc as one line. */
export const lineOfFinding = ({ severity, code, path, range: { start, end }, message }: Finding): string =>
  compared({
    severity: severities.indexOf(severity),
    code,
    path: path.map(String),
    range: `${start.line}:${start.character}-${end.line}:${end.character}`,
    message,
  })

/** What svc finds, in order. */
export async function ourLines(ruleset: string, document: string): Promise<string[]> {
  const source = `documents/${document}`
  const { guide, problems } = await readRuleset(
    parseDocument(JSON.stringify(rulesets[ruleset]), { source: `${ruleset}.json` }),
    () => Promise.resolve(null),
  )
  const bad = problems.filter((it) => it.severity === 'error')
  if (bad.length > 0) throw new Error(`${ruleset}: ${bad.map((it) => it.message).join('; ')}`)
  const read = parseDocument(readFileSync(join(agreementRoot, source), 'utf8'), { source })
  return lint(read, selectRules(guide, source), { guide: guide.options }).findings.map(lineOfFinding).toSorted()
}
