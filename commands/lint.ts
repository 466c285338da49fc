import { SvcError } from '../src/errors.ts'
import { severities } from '../src/lint/finding.ts'
import { cheapestGains, gradeLetters } from '../src/lint/grade.ts'
import { countFindings, plural } from '../src/report/count.ts'
import { reportFormats } from '../src/report/formats.gen.ts'
import type { FindingReport, ReportFormat } from '../src/report/report.ts'
import { command } from '../cli/declare.ts'
import { explainRule, suggestRule } from './explain.ts'
import { findGuide } from '../cli/input/guides.ts'
import {
  applyWaivers,
  newFindings,
  readBaseline,
  readWaivers,
  waiverNotes,
  writeBaseline,
} from '../cli/lint/accepted.ts'
import { mend, type Mended } from '../cli/lint/fix.ts'
import {
  deadRules,
  exitCodes,
  lintTarget,
  rankByImpact,
  skippedRules,
  worst,
  type Linted,
} from '../cli/lint/outcome.ts'
import { expandTargets, readTarget } from '../cli/lint/targets.ts'
import {
  findingFormats,
  readReportTarget,
  writeFindings,
  writeOptionFile,
  writeReportFiles,
} from '../cli/output/reports.ts'
import { version } from '../cli/version.gen.ts'

const forPeople = (format: string): boolean => ['text', 'stylish', 'codeframe'].includes(format)

interface Notes {
  readonly accepted: number
  readonly waived: number
  readonly dead: readonly string[]
  readonly kept: string | undefined
  readonly fixed: number
}

const notes = ({ accepted, waived, dead, kept, fixed }: Notes): string =>
  [
    fixed > 0 ? `${plural(fixed, 'finding')} mended.\n` : '',
    accepted > 0 ? `${plural(accepted, 'finding')} accepted by the baseline.\n` : '',
    waived > 0 ? `${plural(waived, 'finding')} waived.\n` : '',
    dead.length > 0 ? `Found nothing to look at: ${dead.join(', ')}.\n` : '',
    kept === undefined ? '' : `Wrote the baseline ${kept}.\n`,
  ].join('')

export default command({
  summary: 'Check documents against a style guide and grade them',
  description:
    'Checks OpenAPI, Swagger, Arazzo, JSON Schema and MCP documents, prints findings with their places and a grade from A to F. Files need no account and open no workspace. Of a folder every such document is checked; references to other files are followed. With --baseline only what it does not hold is shown and counted. Exit codes: 4 where --fail-on or --min-grade is missed, 5 where nothing could be graded, 6 for a document that cannot be read.',
  examples: [
    'svc lint openapi.yaml',
    'svc lint openapi.yaml --min-grade B --report sarif=lint.sarif',
    'curl -s https://example.com/openapi.json | svc lint - --format markdown',
    'svc lint openapi.yaml --guide .spectral.yaml --fail-on warning',
    "svc lint 'apis/**/*.yaml' --write-baseline lint-baseline.json",
    'svc lint apis --baseline lint-baseline.json --fail-on-new',
    'svc lint https://example.com/openapi.json petstore@1.2.0',
    'svc lint openapi.yaml --fix --dry-run',
    'svc lint --explain path-params',
  ],
  arguments: [
    {
      name: 'files',
      summary: 'files, folders, globs, addresses or PROJECT@VERSION; - reads standard input; else the current folder',
      variadic: true,
    },
  ],
  options: {
    guide: {
      type: 'string',
      placeholder: 'NAME|FILE|URL|ID',
      summary:
        'the style guide: svc:recommended (default), spectral:oas, a Spectral ruleset in a file or at an address, or the id of a guide of the tenant',
    },
    'allow-functions': {
      type: 'boolean',
      summary: 'run functions and rulesets in JavaScript, which may do whatever you may; else their rules are skipped',
    },
    format: {
      type: 'string',
      placeholder: 'FORMAT',
      choices: findingFormats,
      default: 'text',
      summary: 'what stdout is written in',
    },
    report: {
      type: 'string',
      placeholder: 'FORMAT[=PATH]',
      multiple: true,
      summary: 'also write a report, in any of the formats; to stdout without PATH',
    },
    fix: { type: 'boolean', summary: 'mend what the rules can mend; comments, order and layout stay' },
    'dry-run': { type: 'boolean', summary: 'with --fix: print the difference and write nothing' },
    baseline: { type: 'string', placeholder: 'FILE', summary: 'findings that are accepted: neither shown nor counted' },
    'write-baseline': { type: 'string', placeholder: 'FILE', summary: 'accept everything that is found now' },
    'fail-on-new': { type: 'boolean', summary: 'with --baseline: fail on any finding that it does not hold' },
    waivers: {
      type: 'string',
      placeholder: 'FILE',
      summary: 'what somebody answers for until a day: a list of {rule, file, pointer, owner, reason, expires}',
    },
    sort: {
      type: 'string',
      placeholder: 'ORDER',
      choices: ['place', 'impact'],
      summary:
        'place, or impact: by severity, then by how many operations reach the place (default: impact where people read, in text and codeframe)',
    },
    'dead-rules': { type: 'boolean', summary: 'also name the rules that found nothing to look at' },
    explain: { type: 'string', placeholder: 'RULE', summary: 'say what a rule asks for, and check nothing' },
    'min-grade': { type: 'string', placeholder: 'LETTER', choices: gradeLetters, summary: 'fail below this grade' },
    'fail-on': {
      type: 'string',
      placeholder: 'SEVERITY',
      choices: [...severities, 'none'],
      default: 'error',
      summary: 'fail on findings of this severity or worse',
    },
  },
  endsAtOnce: true,
  envelope: 'findings',
  run: async (invocation) => {
    const { args, options, io, cwd } = invocation
    if (options.explain !== undefined) {
      const explained = await explainRule(options.explain)
      if (explained === null) {
        const near = await suggestRule(options.explain)
        const meant = near === null ? '; docs/rules lists them' : `; did you mean ${near}?`
        throw new SvcError('usage', { reason: `There is no rule "${options.explain}"${meant}` })
      }
      return { findings: [], summary: explained.data, text: explained.text }
    }
    const targets = options.report.map(readReportTarget)
    if (args.files.filter((it) => it === '-').length > 1)
      throw new SvcError('usage', { reason: 'Standard input can be read once only: give "-" once' })
    if (options['fail-on-new'] && options.baseline === undefined)
      throw new SvcError('usage', { reason: '--fail-on-new needs a --baseline to know what is new' })
    const baseline = options.baseline === undefined ? null : await readBaseline(options.baseline, cwd)
    const waivers = options.waivers === undefined ? [] : await readWaivers(options.waivers, cwd)
    const guide = await findGuide(options.guide, invocation, { runsFunctions: options['allow-functions'] })
    const told = guide.options === undefined ? {} : { guide: guide.options }
    const how = { chosen: guide.chosen, ...told }
    if (options['dry-run'] && !options.fix) throw new SvcError('usage', { reason: '--dry-run goes with --fix' })
    const all: Linted[] = []
    const mended: Mended[] = []
    for (const file of await expandTargets(args.files, cwd)) {
      let target = await readTarget(file, invocation)
      const ruleset = guide.rulesFor(file)
      if (options.fix) {
        const done = await mend(target, ruleset, { cwd, write: !options['dry-run'] })
        if (done !== null) mended.push(done)
        target = done?.target ?? target
      }
      all.push(lintTarget(target, ruleset, how))
    }
    const fixes = mended.flatMap((it) => it.findings)
    const found = all.flatMap((it) => it.findings)
    const waived = applyWaivers(found, waivers, new Date().toISOString().slice(0, 10))
    const left = baseline === null ? waived.findings : newFindings(waived.findings, baseline)
    const { rules } = await import('../src/lint/rules.gen.ts')
    const remedies = new Map(left.flatMap(({ code }) => (rules[code]?.help ? [[code, rules[code].help.remedy]] : [])))
    const report: FindingReport = {
      findings: left,
      remedies,
      grade: worst(all.map((it) => it.grade)),
      sources: new Map(all.map(({ document }) => [document.source, document.text])),
      toolVersion: version,
    }
    let impact: FindingReport | null = null
    const reportFor = (format: ReportFormat): FindingReport => {
      const sort = options.sort ?? (['text', 'codeframe'].includes(format.id) ? 'impact' : 'place')
      if (sort === 'place') return report
      impact ??= { ...report, ...rankByImpact(all, left) }
      return impact
    }
    await writeReportFiles(targets, reportFor, cwd)
    const kept = options['write-baseline']
    if (kept !== undefined) await writeOptionFile(kept, writeBaseline(waived.findings), cwd)
    for (const note of waiverNotes(waived)) io.log.warn(note)
    const skipped = skippedRules(all)
    for (const { name, reason } of guide.refused ?? []) io.log.warn(`Skipped the ruleset ${name}: ${reason}.`)
    for (const { code, reason } of skipped) io.log.warn(`Skipped the rule ${code}: ${reason}.`)
    const accepted = waived.findings.length - left.length
    const dead = options['dead-rules'] ? deadRules(all) : []
    const direct = targets.filter((it) => it.path === null)
    const { colour } = io
    const codes = exitCodes(all, left, {
      failOn: options['fail-on'],
      failOnNew: options['fail-on-new'],
      minGrade: options['min-grade'],
    })
    return {
      // Whoever writes a baseline accepts what is there; what could not be read is still told.
      exitCode: kept === undefined ? codes : codes.filter((it) => it !== 4),
      summary: {
        guide: guide.name,
        counts: countFindings(left),
        grade: report.grade,
        gains: report.grade === null ? [] : cheapestGains(report.grade),
        documents: all.map(({ document, grade: own }) => ({ source: document.source, grade: own })),
        ...(options.fix ? { fixed: fixes.map(({ code, source, pointer }) => ({ code, source, pointer })) } : {}),
        ...(baseline === null ? {} : { accepted }),
        ...(waivers.length === 0 ? {} : { waived: waived.waived }),
        ...(options['dead-rules'] ? { deadRules: dead } : {}),
        ...(skipped.length === 0 ? {} : { skippedRules: skipped }),
        ...(guide.refused === undefined || guide.refused.length === 0 ? {} : { skippedRulesets: guide.refused }),
      },
      findings: left,
      text: () =>
        (options['dry-run'] ? mended.map((it) => it.diff).join('') : '') +
        [reportFormats[options.format], ...direct.map((it) => it.format)]
          .map((it) => writeFindings(it, reportFor(it), colour.stdout, io.isTerminal ? { columns: io.columns } : {}))
          .join('') +
        (forPeople(options.format) ? notes({ accepted, waived: waived.waived, dead, kept, fixed: fixes.length }) : ''),
    }
  },
})
