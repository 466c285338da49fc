/** The options of `svc lint`. */
import { severities } from '../../src/lint/finding.ts'
import { gradeLetters } from '../../src/lint/grade.ts'
import { cacheOption } from '../cache/option.ts'
import type { OptionValues } from '../options.ts'
import { findingFormats } from '../output/reports.ts'

/** Words for severities that rulesets and other tools use as well. */
export const severitySynonyms = { warn: 'warning', information: 'info' } as const

/** Names of formats that other tools use. */
export const formatSynonyms = { md: 'markdown', 'code-climate': 'gitlab' } as const

export const lintOptions = {
  guide: {
    type: 'string',
    alias: 'ruleset',
    short: 'r',
    placeholder: 'NAME|FILE|URL|ID',
    summary:
      'style guide: svc:recommended (default), spectral:oas, a Spectral ruleset (file or URL), or the name or id of a stored guide',
  },
  'allow-functions': {
    type: 'boolean',
    summary: 'run JavaScript functions and rulesets with your permissions; without it their rules are skipped',
  },
  'allow-skipped': {
    type: 'boolean',
    summary: 'succeed although rules, rulesets or files were skipped; without it such a run fails',
  },
  'stdin-filepath': {
    type: 'string',
    placeholder: 'PATH',
    summary: 'path of the document that is read from standard input, for its references, overrides and baselines',
  },
  format: {
    type: 'string',
    short: 'f',
    placeholder: 'FORMAT',
    choices: findingFormats,
    synonyms: formatSynonyms,
    default: 'text',
    summary: 'format of standard output',
  },
  output: {
    type: 'string',
    short: 'o',
    placeholder: 'PATH',
    summary: 'write the report of --format to PATH instead of standard output',
  },
  report: {
    type: 'string',
    placeholder: 'FORMAT[=PATH]',
    multiple: true,
    summary: 'also write a report in one of the formats, to PATH or standard output',
  },
  fix: {
    type: 'boolean',
    summary:
      'fix the findings that can be fixed without any change that clients see; comments, order and layout are kept',
  },
  'fix-non-breaking': {
    type: 'boolean',
    summary: 'with --fix: also make fixes that clients can see but that break none of them: operationIds, tags, items',
  },
  'fix-removals': {
    type: 'boolean',
    summary:
      'with --fix: also remove components and definitions that neither the document nor another file of the run uses',
  },
  'fix-overlay': {
    type: 'string',
    placeholder: 'FILE',
    summary: 'with --fix of one document: write the fixes as an overlay to FILE, and leave the document as it is',
  },
  'dry-run': { type: 'boolean', summary: 'with --fix: print the changes as a diff and write nothing' },
  baseline: { type: 'string', placeholder: 'FILE', summary: 'known findings, which are not reported' },
  'write-baseline': { type: 'string', placeholder: 'FILE', summary: 'write the current findings as the baseline' },
  'fail-on-new': { type: 'boolean', summary: 'with --baseline: fail on any finding that is not in it' },
  approved: {
    type: 'string',
    placeholder: 'FILE',
    summary: 'for tools of MCP servers: what was approved; what changed since is found by the rules mcp-drift-*',
  },
  waivers: {
    type: 'string',
    placeholder: 'FILE',
    summary:
      'waivers: temporary exceptions with owner, reason and expiry date (a list of {rule, file, pointer, owner, reason, expires})',
  },
  'ignore-suppressions': {
    type: 'boolean',
    summary: 'report findings although the document suppresses them with x-lint-ignore or # svc-ignore',
  },
  'unused-suppressions': {
    type: 'string',
    placeholder: 'SEVERITY',
    choices: [...severities, 'off'],
    default: 'warning',
    summary: 'severity of the findings about suppressions and waivers that match no finding',
  },
  sort: {
    type: 'string',
    placeholder: 'ORDER',
    choices: ['place', 'impact'],
    summary:
      'place, or impact: by severity, then by the number of operations affected (default: impact for text and codeframe, else place)',
  },
  cache: cacheOption,
  'dead-rules': { type: 'boolean', summary: 'also list the rules whose paths matched nothing' },
  profile: { type: 'string', placeholder: 'NAME', summary: 'apply a profile of svc.yaml' },
  'project-file': {
    type: 'boolean',
    default: true,
    summary: 'apply the settings of svc.yaml in the current folder or above',
  },
  explain: { type: 'string', placeholder: 'RULE', summary: 'explain a rule and check nothing' },
  'min-grade': { type: 'string', placeholder: 'LETTER', choices: gradeLetters, summary: 'fail below this grade' },
  'fail-on': {
    type: 'string',
    alias: 'fail-severity',
    short: 'F',
    placeholder: 'SEVERITY',
    choices: [...severities, 'none'],
    synonyms: severitySynonyms,
    default: 'error',
    summary: 'fail on findings of this severity or worse',
  },
  'display-only-failures': {
    type: 'boolean',
    short: 'D',
    summary: 'show only the findings that make the run fail; all count in the grade',
  },
  'max-problems': {
    type: 'integer',
    min: 0,
    summary: 'show at most N findings, the worst first, and how many are left out; all count in grade and exit code',
  },
} as const

export type LintCommandOptions = OptionValues<typeof lintOptions>
