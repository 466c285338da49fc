/** Whether the program of a gateway loads a folder: asked where it is installed. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dialectOf, type DialectName } from '../../../src/gateway/dialects/index.ts'
import type { LoadCheck } from '../../../src/gateway/engines/engine.ts'
import { engines } from '../../../src/gateway/engines/index.ts'

/** What an engine said about the files. */
export interface Verdict {
  /** The program; null: none is known for this dialect. */
  readonly program: string | null
  readonly result: 'loads' | 'fails' | 'not-installed' | 'not-asked'
  readonly message: string | null
}

/** How a program that reads this dialect is asked; null: none is known. */
export const checkOf = (dialect: DialectName): LoadCheck | null =>
  engines.find((engine) => engine.dialect.name === dialect && engine.check !== null)?.check ?? null

const longestMs = 120_000

/** The lines of an engine's answer that say something, without the folder of the check. */
const said = (text: string): string => text.trim().split('\n').slice(-10).join('\n').slice(0, 2000)

export function askEngine(dialect: DialectName, folder: string): Verdict {
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

/** Where the program lacks the module of the engine, it says nothing about the files. */
const lacksModule = /unknown directive "modsecurity|unrecognized directive: coraza|unknown module/i

/** What the program says where it is installed and does not load a folder; null: it loads it, or cannot be asked. */
export function refusalOf(dialect: DialectName, folder: string): string | null {
  const { program, result, message } = askEngine(dialect, folder)
  if (result !== 'fails' || lacksModule.test(message ?? '')) return null
  return `${program} does not load it:\n${message ?? ''}`
}
