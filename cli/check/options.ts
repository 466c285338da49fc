/** The options of `svc check`. */
import { severities } from '../../src/lint/finding.ts'
import { gradeLetters } from '../../src/lint/grade.ts'
import { cacheOption } from '../cache/option.ts'
import { formatSynonyms, severitySynonyms } from '../lint/options.ts'
import type { Invocation } from '../declare.ts'
import type { OptionValues } from '../options.ts'
import { findingFormats } from '../output/reports.ts'

export const checkOptions = {
  profile: { type: 'string', placeholder: 'NAME', summary: 'apply a profile of svc.yaml' },
  format: {
    type: 'string',
    short: 'f',
    placeholder: 'FORMAT',
    choices: findingFormats,
    synonyms: formatSynonyms,
    default: 'text',
    summary: 'format of standard output',
  },
  report: {
    type: 'string',
    placeholder: 'FORMAT[=PATH]',
    multiple: true,
    summary: 'also write a report in one of the formats, to PATH or standard output',
  },
  since: {
    type: 'string',
    placeholder: 'REVISION',
    summary: 'check only the APIs that differ from where the branch left this git revision',
  },
  consumers: {
    type: 'boolean',
    summary: 'also check the registered consumers of each API that names its project on the service',
  },
  'fail-on': {
    type: 'string',
    placeholder: 'SEVERITY',
    choices: [...severities, 'none'],
    synonyms: severitySynonyms,
    summary: 'fail on findings of this severity or worse, whatever svc.yaml says',
  },
  'min-grade': {
    type: 'string',
    placeholder: 'LETTER',
    choices: gradeLetters,
    summary: 'fail below this grade, whatever svc.yaml says',
  },
  'allow-missing-base': {
    type: 'boolean',
    summary: 'compare with nothing where the base does not exist: a file, revision, project or version',
  },
  'allow-unknown': { type: 'boolean', summary: 'undecided changes do not fail' },
  'allow-functions': {
    type: 'boolean',
    summary: 'run JavaScript functions and rulesets with your permissions; without it their rules are skipped',
  },
  'allow-skipped': {
    type: 'boolean',
    summary: 'succeed although gates, rules, rulesets or files were skipped; without it such a run fails',
  },
  'as-of': {
    type: 'string',
    placeholder: 'DATE',
    summary: 'date for the evaluation of sunsets and expiry dates, such as 2026-01-31 (default: today)',
  },
  cache: cacheOption,
  apart: {
    type: 'boolean',
    hidden: true,
    summary: 'print a line of JSON for each API, for the process that started this one',
  },
} as const

export type CheckInvocation = Invocation<{ readonly apis: readonly string[] }, OptionValues<typeof checkOptions>>
