/** `svc gateway check`: whether a folder is what was compiled, and whether the engine loads it. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { releaseProblems, type AgentManifest, type Manifest } from './manifest.ts'
import { dialectOf } from '../../../src/gateway/dialects/index.ts'
import type { LoadCheck } from '../../../src/gateway/engines/engine.ts'
import { engines } from '../../../src/gateway/engines/index.ts'
import { plural } from '../../../src/kernel/plural.ts'
import type { Invocation, Result } from '../../declare.ts'
import { renderFacts } from '../../table.ts'
import { settingsText } from './compile.ts'
import { readRelease } from './folder.ts'

type CheckInvocation = Invocation<{ readonly dir: string }, { readonly engine: boolean | null }>

/** What an engine said about the files. */
interface Verdict {
  /** The program; null: none is known for this dialect. */
  readonly program: string | null
  readonly result: 'loads' | 'fails' | 'not-installed' | 'not-asked'
  readonly message: string | null
}

/** How a program that reads this dialect is asked; null: none is known. */
const checkOf = (dialect: Manifest['engine']): LoadCheck | null =>
  engines.find((engine) => engine.dialect.name === dialect && engine.check !== null)?.check ?? null

const longestMs = 120_000

/** The lines of an engine's answer that say something, without the folder of the check. */
const said = (text: string): string => text.trim().split('\n').slice(-10).join('\n').slice(0, 2000)

function askEngine(dialect: Manifest['engine'], folder: string): Verdict {
  const check = checkOf(dialect)
  if (check === null) return { program: null, result: 'not-asked', message: dialectOf(dialect).notAsked }
  const { program } = check
  const path = Bun.which(program)
  if (path === null) return { program, result: 'not-installed', message: null }
  const checks = mkdtempSync(join(tmpdir(), 'svc-check-'))
  try {
    const file = join(checks, check.file)
    writeFileSync(file, check.text(folder))
    const { status, stderr, stdout, error } = spawnSync(path, [...check.words(file)], {
      encoding: 'utf8',
      timeout: longestMs,
    })
    if (status === 0) return { program, result: 'loads', message: null }
    return { program, result: 'fails', message: error?.message ?? said(stderr + stdout) }
  } finally {
    rmSync(checks, { recursive: true })
  }
}

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
