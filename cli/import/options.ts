/** The options of the import commands, in the groups that they share, and what is the same for every format. */
import { ImportJob } from '../../src/api/imports.ts'
import { gradeLetters } from '../../src/lint/grade.ts'
import { lintOptions, severitySynonyms } from '../lint/options.ts'
import { findingFormats } from '../output/reports.ts'

export const dryRunOption = {
  'dry-run': { type: 'boolean', summary: 'validate and plan, store nothing' },
} as const

/** Where the document goes: project, version, publishing. */
export const targetOptions = {
  'project-name': { type: 'string', placeholder: 'NAME', summary: 'name of the project (default: the title)' },
  'project-name-field': {
    type: 'string',
    placeholder: 'PATH',
    summary:
      'dot path or JSON Pointer of the field that names the project; kept with the version (default: info.x-svc-project-name-field of the document)',
  },
  version: { type: 'string', placeholder: 'LABEL', summary: 'label of the version (default: the one in the document)' },
  'project-id': { type: 'string', placeholder: 'UUID', summary: 'import into this project' },
  'project-slug': { type: 'string', placeholder: 'SLUG', summary: 'slug of the project' },
  'version-slug': { type: 'string', placeholder: 'SLUG', summary: 'slug of the version' },
  publish: {
    type: 'string',
    placeholder: 'WHO',
    choices: ['public', 'private'],
    summary: 'publish the version; without it the version stays a draft',
  },
  visibility: { type: 'string', placeholder: 'WHO', choices: ['public', 'private'], summary: 'alias of --publish' },
  force: { type: 'boolean', summary: 'with --publish: skip the gates that may be skipped' },
  reason: { type: 'string', placeholder: 'TEXT', summary: 'reason for --force, recorded in the audit trail' },
} as const

/** How long to wait, and what is seen of it. */
export const waitOptions = {
  wait: { type: 'boolean', default: true, summary: 'wait until the job has finished' },
  'poll-interval': {
    type: 'duration',
    min: 10,
    default: 1000,
    summary: 'time between two status requests',
  },
  'import-timeout': {
    type: 'duration',
    min: 10,
    summary: 'longest wait for the job (exit 7); overrides --timeout [default: 2m]',
  },
  progress: {
    type: 'string',
    placeholder: 'HOW',
    choices: ['auto', 'bar', 'json', 'none'],
    default: 'auto',
    summary:
      'progress on standard error; auto: a bar on a terminal, nothing elsewhere; json: a line for each new state',
  },
} as const

/** What must hold, and the reports about it. */
export const qualityOptions = {
  'min-grade': {
    type: 'string',
    placeholder: 'A-F',
    choices: gradeLetters,
    summary: 'store nothing when the grade is worse (exit 4)',
  },
  'fail-on': {
    type: 'string',
    placeholder: 'SEVERITY',
    choices: ['error', 'warning', 'info'],
    synonyms: severitySynonyms,
    summary: 'store nothing on a finding of this severity or worse (exit 4)',
  },
  report: {
    type: 'string',
    placeholder: 'FORMAT[=PATH]',
    multiple: true,
    summary: `write the findings, whatever the exit code, to PATH or in place of the summary: ${findingFormats.join(', ')}`,
  },
} as const

/** The style guide that is applied on this machine, before anything is sent. */
export const guideOptions = {
  guide: {
    type: 'string',
    alias: 'ruleset',
    placeholder: 'NAME|FILE|URL|ID',
    summary:
      'style guide for --min-grade and --fail-on, applied on this machine as "svc lint" does (default: .spectral.yaml and the like of this folder or above, else the guide of the organization)',
  },
  'allow-functions': lintOptions['allow-functions'],
  'allow-skipped': { type: 'boolean', summary: 'continue although rules of the guide were skipped' },
} as const

/** Which document of an archive, a folder or a repository. */
export const rootOption = {
  root: {
    type: 'string',
    placeholder: 'PATH',
    summary: 'in an archive or folder: the document, or the only folder that is read',
  },
} as const

/** Overlays that the service applies. */
export const overlayOption = {
  overlay: {
    type: 'string',
    placeholder: 'FILE',
    multiple: true,
    summary: 'apply this overlay to the document before it is stored, after those of svc.yaml; the version keeps both',
  },
} as const

export const versionIdOption = {
  'version-id': { type: 'string', placeholder: 'UUID', summary: 'attach to this existing version' },
} as const

/** What a JSON Schema becomes. */
export const schemaOptions = {
  as: {
    type: 'string',
    placeholder: 'WHAT',
    choices: ['property', 'properties', 'schema'],
    summary:
      'import a JSON Schema as one property, as a schema for each of its properties, or as one schema (default: detected)',
  },
  name: { type: 'string', placeholder: 'NAME', summary: 'name of the schema or property' },
  description: { type: 'string', placeholder: 'TEXT', summary: 'its description' },
} as const

export const linkOption = {
  'link-project-property': {
    type: 'boolean',
    summary: 'let schemas of the draft that are equal to a registered type, or contained in it, refer to it',
  },
} as const

export const bulkOptions = {
  bulk: { type: 'boolean', summary: 'PATH is an archive or folder: import each independent document in it' },
  override: {
    type: 'string',
    placeholder: 'KEY=SPEC',
    multiple: true,
    summary:
      'with --bulk, the target of one document: KEY is its path or slug, SPEC is new, existing or existing:PROJECT_ID, each optionally followed by @VERSION',
  },
} as const

/** The options of every import of a document. */
export const documentOptions = {
  ...dryRunOption,
  ...targetOptions,
  ...rootOption,
  ...overlayOption,
  ...qualityOptions,
  ...guideOptions,
  ...waitOptions,
} as const

const exitCodes =
  'Exit codes: 3 the publishing policy refuses, 4 --min-grade or --fail-on fails, 5 nothing could be graded, 6 the document or the import is refused, 7 the job did not finish in time. Ctrl-C cancels the job (130).'

/** What the commands that import the document at a path have in common. */
export const pathImport = {
  description: `Importing the same content twice creates one version. Relative references to other files are followed. --min-grade and --fail-on use the style guide of this machine where there is one (--guide, .spectral.yaml), before anything is sent. For archives and git repositories, and for what is stored, the guide of the organization applies. ${exitCodes}`,
  arguments: [
    {
      name: 'path',
      required: true,
      summary: 'a file, an archive, a folder, an http(s) URL, or - for standard input',
    },
  ],
  dataSchema: ImportJob,
  graceful: true,
  isBounded: true,
} as const
