/** The options of `svc run`. */
import type { OptionValues } from '../options.ts'
import { findingFormats } from '../output/reports.ts'

/** Formats of reports: those of findings, JUnit with a case for each step, and HAR. */
export const runFormats = [...new Set([...findingFormats, 'har'])].toSorted()

export const runOptions = {
  server: {
    type: 'string',
    placeholder: 'NAME=URL',
    multiple: true,
    summary: 'send the requests of a source description to this server, whatever its description says',
  },
  source: {
    type: 'string',
    placeholder: 'NAME=DOCUMENT',
    multiple: true,
    summary: 'read a source description from here: a file, a URL or PROJECT@VERSION',
  },
  input: {
    type: 'string',
    placeholder: 'NAME=VALUE',
    multiple: true,
    summary: 'an input of the workflow; numbers, truth values, lists and objects as JSON',
  },
  inputs: { type: 'string', placeholder: 'FILE', summary: 'a YAML or JSON file with inputs; --input takes precedence' },
  secret: {
    type: 'string',
    placeholder: 'NAME[=VARIABLE]',
    multiple: true,
    summary: 'an input from an environment variable (default: of its name); no output shows its value',
  },
  credential: {
    type: 'string',
    placeholder: 'SOURCE.SCHEME=VARIABLE',
    multiple: true,
    summary:
      'the credential of a security scheme of a source, from an environment variable: a key, a token, or USER:PASSWORD; no output shows it',
  },
  mock: { type: 'boolean', summary: 'make answers from the descriptions; nothing is requested' },
  report: {
    type: 'string',
    placeholder: 'FORMAT=PATH',
    multiple: true,
    summary: `also write a report: ${runFormats.join(', ')}`,
  },
  'max-time': {
    type: 'duration',
    placeholder: 'TIME',
    default: 600_000,
    min: 1,
    max: 86_400_000,
    summary: 'longest time of the run, waits before retries included (default 10m)',
  },
  'max-steps': {
    type: 'integer',
    placeholder: 'NUMBER',
    default: 1000,
    min: 1,
    max: 1_000_000,
    summary: 'most steps, counting each visit of a loop (default 1000)',
  },
  'max-answer': {
    type: 'integer',
    placeholder: 'MB',
    default: 10,
    min: 1,
    max: 1000,
    summary: 'largest answer that is read, in MB (default 10)',
  },
} as const

export type RunOptions = OptionValues<typeof runOptions>
