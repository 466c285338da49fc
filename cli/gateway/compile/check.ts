/** `svc gateway check`: whether a folder is what was compiled, and whether the engine loads it. */
import { resolve } from 'node:path'
import { releaseProblems, type AgentManifest, type Manifest } from './manifest.ts'
import { plural } from '../../../src/kernel/plural.ts'
import type { Invocation, Result } from '../../declare.ts'
import { renderFacts } from '../../table.ts'
import { settingsText } from './compile.ts'
import { readRelease } from './folder.ts'
import { askEngine, checkOf, type Verdict } from './load.ts'

type CheckInvocation = Invocation<{ readonly dir: string }, { readonly engine: boolean | null }>

const verdictText = ({ program, result, message }: Verdict): string => {
  if (result === 'loads') return `${program} loads it`
  if (result === 'fails') return `${program} does not load it`
  return result === 'not-installed' ? `${program} is not installed here, so it was not asked` : (message ?? '')
}

/** What an agent keeps of a release; the key for evidence stays in its folder. */
const shownOf = ({ format, releaseId, engine, policyVersion, environment, ...it }: AgentManifest) => ({
  format,
  releaseId,
  engine,
  policyVersion,
  environment: environment.slug,
  digest: it.digest,
  files: it.files,
  enforcerId: it.enforcerId,
  createdAt: it.createdAt,
})

const afterwards = (it: Manifest | AgentManifest): string =>
  'enforcerId' in it
    ? `What each setting comes to: svc gateway release show ${it.environment.slug} ${it.releaseId}\n`
    : settingsText(it)

/**
 * Checks digests, structure and, where it is installed, asks the engine.
 * @throws SvcError `file-not-found`, `file-unreadable`
 */
export function checkRelease({ args, options, cwd }: CheckInvocation): Result {
  const { folder, manifest, files } = readRelease(args.dir, resolve(cwd, args.dir))
  const agent = 'enforcerId' in manifest ? manifest : null
  const problems = releaseProblems(manifest, files)
  const verdict: Verdict =
    problems.length > 0 || options.engine === false
      ? {
          program: checkOf(manifest.engine)?.program ?? null,
          result: 'not-asked',
          message: 'The engine was not asked.',
        }
      : askEngine(manifest.engine, folder)
  const isGood = problems.length === 0 && verdict.result !== 'fails'
  const facts = renderFacts([
    ['engine', manifest.engine],
    ['release', manifest.releaseId],
    ['gateway', agent === null ? null : `${agent.enforcerId} of ${agent.environment.slug}`],
    ['folder', agent === null ? null : folder],
    ['digest', manifest.digest],
    [
      'files',
      problems.length === 0
        ? `${plural(manifest.files.length, 'file')}, as they were written`
        : plural(problems.length, 'problem'),
    ],
    ['load', verdictText(verdict)],
  ])
  const details = [...problems, ...(verdict.result === 'fails' ? [verdict.message ?? ''] : [])]
  return {
    exitCode: isGood ? 0 : 6,
    data: { ...(agent === null ? manifest : shownOf(agent)), problems, verdict },
    text: `${facts}${details.map((it) => `${it}\n`).join('')}${isGood ? `\n${afterwards(manifest)}` : ''}`,
  }
}
