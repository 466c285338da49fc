import type { ExitCode } from './entry.ts'

/** What an exit code of the command line means. */
export interface ExitMeaning {
  readonly code: ExitCode
  /** A short name, for lists and for programs. */
  readonly name: string
  /** One sentence: what happened. */
  readonly meaning: string
  /** One sentence, in the imperative: what to do. */
  readonly action: string
}

/** Every exit code of the command line, in the order of the numbers. */
export const exitCodes: readonly ExitMeaning[] = [
  { code: 0, name: 'success', meaning: 'The command succeeded.', action: 'Nothing needs to be done.' },
  {
    code: 1,
    name: 'transport',
    meaning: 'The service did not answer, or it failed.',
    action: 'Check the address and the network, then run the command again.',
  },
  {
    code: 2,
    name: 'usage',
    meaning:
      'The command was used incorrectly, or the request was rejected: invalid options, missing credentials, no permission, not found.',
    action: 'Read the message on standard error, then correct the command or sign in.',
  },
  {
    code: 3,
    name: 'policy',
    meaning:
      'A policy of the organization or a limit of its plan blocked the command. For "svc run": a server did not answer.',
    action: 'Fix what the failed gate names, or ask an administrator of the organization.',
  },
  {
    code: 4,
    name: 'threshold',
    meaning:
      'A threshold was not met: "--min-grade", "--fail-on" or "--check-version"; or a workflow of "svc run" did not pass.',
    action: 'Fix the reported findings or changes, or change the threshold.',
  },
  {
    code: 5,
    name: 'not-gradable',
    meaning: 'Nothing could be graded: no document was found, or no rule applies to its format.',
    action: 'Check the paths, and choose a style guide for the format of the document.',
  },
  {
    code: 6,
    name: 'failed',
    meaning: 'A document could not be read or is invalid, or a job failed.',
    action: 'Fix the problems in the document that the message names, then run the command again.',
  },
  {
    code: 7,
    name: 'timeout',
    meaning: 'The command stopped waiting before the job was finished; the job continues.',
    action: 'Run the command that the message shows to continue waiting.',
  },
  {
    code: 10,
    name: 'docs-only',
    meaning: '"svc diff --exit-code": only documentation changed.',
    action: 'Nothing needs to be done.',
  },
  {
    code: 11,
    name: 'compatible',
    meaning: '"svc diff --exit-code": something changed, and all of it is backward compatible.',
    action: 'Nothing needs to be done.',
  },
  {
    code: 12,
    name: 'undecided',
    meaning: '"svc diff --exit-code": no change is proven to be breaking, but some could not be decided.',
    action: 'Review the undecided changes; accept those that are safe with --ignore.',
  },
  {
    code: 13,
    name: 'breaking',
    meaning: '"svc diff --exit-code": a change breaks clients.',
    action: 'Undo the change, or publish a new major version.',
  },
  {
    code: 70,
    name: 'internal',
    meaning: 'An internal error in svc.',
    action: 'Run the command again with SVC_DEBUG=1 and report its output.',
  },
  {
    code: 130,
    name: 'interrupted',
    meaning: 'The command was interrupted (Ctrl-C).',
    action: 'Run the command again when you need its result.',
  },
  {
    code: 143,
    name: 'terminated',
    meaning: 'The command was terminated (SIGTERM).',
    action: 'Run the command again when you need its result.',
  },
]

/** Where several exit codes apply, the first of these is used, after every report is written. */
export const exitPrecedence: readonly ExitCode[] = [70, 143, 130, 2, 1, 7, 6, 3, 4, 5, 13, 12, 11, 10, 0]
