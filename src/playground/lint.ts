/** `svc lint - --format json` for a text. */
import { parseDocument } from '../document/parse.ts'
import type { Finding } from '../lint/finding.ts'
import type { GradeResult } from '../lint/grade.ts'
import { judge } from '../lint/judge.ts'
import { lintDocument } from '../lint/linted.ts'
import { distinct, knownRules } from '../lint/reported.ts'
import type { Ruleset } from '../lint/rule.ts'
import { rules as builtin } from '../lint/rules.gen.ts'
import { optionsOfBuiltin } from '../lint/ruleset.ts'
import { builtinRulesets } from '../lint/rulesets/builtin.ts'
import { recommended } from '../lint/rulesets/recommended.ts'
import { joinSuppressions, suppressFindings } from '../lint/suppressions/suppress.ts'
import { knowsUnused } from '../lint/suppressions/unused.ts'
import { countFindings } from '../report/count.ts'
import { envelopeOf } from '../report/envelope.ts'
import { summarizeLint } from '../report/lint-summary.ts'
import { describeSuppressed } from '../report/suppressed.ts'
import { SvcError } from '../errors.ts'
import { documentsOf, type PastedFile } from './files.ts'

/** What the command calls standard input. */
const entryName = '-'

/** @throws SvcError `usage` for a guide that svc does not have */
function rulesOf(guide: string): Ruleset {
  if (guide === recommended.name) return recommended.ruleset
  const ruleset = Object.hasOwn(builtinRulesets, guide) ? builtinRulesets[guide] : undefined
  if (ruleset === undefined) throw new SvcError('usage', { reason: `Unknown style guide "${guide}"` })
  return Object.fromEntries(Object.entries(ruleset).filter(([, rule]) => rule.recommended !== false))
}

/** @throws SvcError `usage` for a rule that svc does not have */
function onlyRule(id: string): Ruleset {
  const rule = Object.hasOwn(builtin, id) ? builtin[id] : undefined
  if (rule === undefined) throw new SvcError('usage', { reason: `Unknown rule "${id}"` })
  return { [id]: rule }
}

/** What of the answer a page reads; it has all that the command prints. */
export interface LintAnswer {
  readonly exitCode: number
  readonly summary: {
    readonly grade: GradeResult | null
    readonly counts: Readonly<Record<string, number>>
  }
  readonly findings: readonly Finding[]
}

/**
 * Lints and grades a text.
 * @param guide the name of a builtin guide
 * @param rule the one builtin rule that is asked for, also one that is off by default
 * @param others texts that it may refer to
 * @returns what `svc lint - --format json` prints, as a value
 * @throws SvcError `usage` for a guide or a rule that svc does not have
 */
export async function lintText(
  text: string,
  {
    guide = recommended.name,
    rule,
    others = [],
  }: { guide?: string; rule?: string; others?: readonly PastedFile[] } = {},
): Promise<LintAnswer> {
  const rules = rule === undefined ? rulesOf(guide) : onlyRule(rule)
  const isChosen = guide !== recommended.name
  const target = { document: parseDocument(text, { source: entryName }), documents: documentsOf(others) }
  const options = isChosen ? { guide: optionsOfBuiltin(guide) } : {}
  const linted = await lintDocument(target, rules, { chosen: isChosen, name: guide, ...options })
  const { findings, suppressed } = suppressFindings(
    distinct(linted.findings),
    joinSuppressions([...linted.suppressions]),
    {
      unused: 'warning',
      rules: () => knownRules([rules]),
      isUnused: knowsUnused({ all: [linted], covers: () => false, placeOf: (source) => source }),
    },
  )
  const { codes } = judge([linted], findings, { failOn: 'error', failOnNew: false, minGrade: undefined })
  const counts = countFindings(findings)
  return envelopeOf({
    command: 'lint',
    exitCode: codes[0] ?? 0,
    summary: summarizeLint(
      { guide, counts, grade: linted.grade, tools: linted.tools, documents: [linted] },
      { after: suppressed.length === 0 ? {} : { suppressed: suppressed.map(describeSuppressed) } },
    ),
    content: { findings },
    error: null,
  }) as LintAnswer
}
