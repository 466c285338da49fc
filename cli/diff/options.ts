/** The arguments and options that `svc diff` and `svc breaking` share. */
import { profiles } from '../../src/diff/profile.ts'
import type { ProfileName } from '../../src/diff/profile.ts'
import type { Invocation } from '../declare.ts'
import type { ArgumentValues, OptionValues } from '../options.ts'
import { cacheOption } from '../cache/option.ts'
import { changeFormats } from '../output/reports.ts'
import { rulebookName } from './judging.ts'
import type { Objects } from '../input/git/process.ts'

const side = 'a file, a folder or archive, an http(s) address, -, REVISION:PATH of git, or PROJECT@VERSION'

export const comparingArguments = [
  { name: 'base', required: true, summary: `the older side: ${side}` },
  { name: 'head', required: true, summary: 'the newer side, named in the same ways' },
] as const

/** The same where `svc.yaml` says what is compared. */
export const optionalSides = [
  {
    name: 'base',
    summary: `the older side: ${side}; or the name or document of an API of svc.yaml (default: all its APIs)`,
    namesApis: true,
  },
  { name: 'head', summary: 'the newer side, named in the same ways' },
] as const

export const comparingOptions = {
  format: {
    type: 'string',
    placeholder: 'FORMAT',
    default: 'text',
    summary: `output format: ${changeFormats.join(', ')}`,
  },
  report: {
    type: 'string',
    placeholder: 'FORMAT=FILE',
    multiple: true,
    summary: 'write a report into a file as well',
  },
  profile: {
    type: 'string',
    placeholder: 'NAME',
    choices: Object.keys(profiles) as ProfileName[],
    default: 'standard',
    summary: 'policy for changes that not everyone considers breaking',
  },
  mode: {
    type: 'string',
    placeholder: 'MODE',
    choices: ['backward', 'forward', 'full', 'backward-transitive', 'forward-transitive', 'full-transitive'],
    summary: 'compatibility mode of JSON Schemas (default: backward, which is also how API descriptions are compared)',
  },
  earlier: {
    type: 'string',
    placeholder: 'SIDE',
    multiple: true,
    summary: 'another earlier revision to compare the head with (for the transitive modes)',
  },
  ignore: {
    type: 'string',
    placeholder: 'FILE',
    multiple: true,
    summary:
      'a list of accepted changes: match (a rule, or the #fingerprint that the text shows), reason, until (the last day)',
  },
  config: {
    type: 'string',
    placeholder: 'FILE',
    summary: `profile, severity (by rule) and ignore of your project (default: ${rulebookName} of the current folder, where it exists)`,
  },
  consumers: {
    type: 'string',
    placeholder: 'PROJECT|FILE',
    summary:
      'name the affected consumers: those registered with a project, or a list of {handle, operations} in a file',
  },
  severity: {
    type: 'string',
    placeholder: 'RULE=SEVERITY',
    multiple: true,
    summary: 'another severity for the changes of a rule',
  },
  'as-of': {
    type: 'string',
    placeholder: 'DATE',
    summary: 'date for the evaluation of sunsets and expiry dates, such as 2026-01-31 (default: today)',
  },
  'allow-missing-base': {
    type: 'boolean',
    summary: 'compare with nothing where the base does not exist: a file, revision, project or version',
  },
  'match-path': {
    type: 'string',
    placeholder: 'PATTERN',
    multiple: true,
    summary: 'only operations whose path matches a glob ("/pets/**") or, beginning with ^, a regular expression',
  },
  operation: {
    type: 'string',
    placeholder: 'OPERATION',
    multiple: true,
    summary: 'only this operation: "GET /pets", or an operationId',
  },
  tag: { type: 'string', placeholder: 'TAG', multiple: true, summary: 'only operations with this tag' },
  'check-version': {
    type: 'boolean',
    summary: 'exit 4 where info.version of the head understates the change (Semantic Versioning)',
  },
  cache: cacheOption,
  'allow-unknown': { type: 'boolean', summary: 'let undecided changes pass --fail-on' },
} as const

export interface ComparingInvocation extends Invocation<
  ArgumentValues<typeof comparingArguments>,
  OptionValues<typeof comparingOptions>
> {
  /** What answers questions about the repository, where a run compares more than one document. */
  readonly objects?: Objects
}

/** The options of a comparison that are about more than its two documents, as none of them asks for anything. */
export const unasked = {
  mode: undefined,
  earlier: [],
  consumers: undefined,
  'allow-missing-base': false,
  'match-path': [],
  operation: [],
  tag: [],
  'check-version': false,
  cache: false,
} as const satisfies Partial<ComparingInvocation['options']>
