/** Coraza with the OWASP Core Rule Set as a process that loads folders and answers requests; it is built where Go is. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ReleaseFile } from '../../src/gateway/compile/index.ts'
import { placedIn } from '../../src/gateway/release/place.ts'

const program = join(import.meta.dir, '../../test/gateway/oracle/policy')

export interface EngineRequest {
  readonly ip: string
  readonly method: string
  readonly uri: string
  readonly protocol: string
  readonly headers: readonly (readonly [string, string])[]
  /** In base64. */
  readonly body: string
}
export interface EngineAnswer {
  readonly error?: string
  readonly milliseconds?: number
  /** Of the refusal; 0 for a request that passed. */
  readonly status: number
  readonly ids: readonly number[]
  readonly tags: readonly string[]
}

/** Where Go is, or undefined. */
export const findGo = (): string | undefined => Bun.which('go') ?? ['/usr/local/go/bin/go'].find((it) => existsSync(it))

/** Writes the files of a release to a folder. */
export function writeFiles(folder: string, files: readonly ReleaseFile[]): void {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

export class Coraza {
  private readonly process: Bun.Subprocess<'pipe', 'pipe', 'inherit'>
  private readonly lines: AsyncIterator<string>
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
    this.process = Bun.spawn([join(folder, 'engine')], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
    this.lines = linesOf(this.process.stdout)
  }

  /** @throws Error where Go is missing or the program does not build */
  static build(): Coraza {
    const go = findGo()
    if (go === undefined) throw new Error('Go is needed for this check: install it, or add its folder to PATH')
    const folder = mkdtempSync(join(tmpdir(), 'svc-coraza-'))
    const built = spawnSync(go, ['build', '-o', join(folder, 'engine'), '.'], { cwd: program, encoding: 'utf8' })
    if (built.status !== 0) throw new Error(`go build: ${built.stderr}`)
    return new Coraza(folder)
  }

  private async ask(order: unknown): Promise<EngineAnswer> {
    await this.process.stdin.write(`${JSON.stringify(order)}\n`)
    await this.process.stdin.flush()
    const { value, done } = await this.lines.next()
    if (done === true) throw new Error('the engine ended')
    return JSON.parse(value) as EngineAnswer
  }

  /**
   * Loads a release in place of what was loaded before.
   * @returns how many milliseconds it took
   * @throws Error with what the engine says is wrong
   */
  async load(files: readonly ReleaseFile[]): Promise<number> {
    const release = mkdtempSync(join(this.folder, 'release-'))
    writeFiles(
      release,
      files.map((it) => placedIn(it, release)),
    )
    const { error, milliseconds } = await this.ask({ load: release })
    rmSync(release, { recursive: true })
    if (error !== undefined) throw new Error(error)
    return milliseconds ?? 0
  }

  /**
   * Loads directives as they are.
   * @throws Error with what the engine says is wrong
   */
  async loadText(directives: string): Promise<void> {
    const { error } = await this.ask({ directives })
    if (error !== undefined) throw new Error(error)
  }

  async send(request: EngineRequest): Promise<EngineAnswer> {
    const answer = await this.ask({ request })
    if (answer.error !== undefined) throw new Error(answer.error)
    return answer
  }

  /** The answers to many requests, in their order: fifty are on their way at a time, so that two processes do not wait for each other. */
  async sendAll(requests: readonly EngineRequest[]): Promise<EngineAnswer[]> {
    const answers: EngineAnswer[] = []
    for (let at = 0; at < requests.length; at += 50) {
      const some = requests.slice(at, at + 50)
      await this.process.stdin.write(some.map((request) => `${JSON.stringify({ request })}\n`).join(''))
      await this.process.stdin.flush()
      for (const _ of some) {
        const { value, done } = await this.lines.next()
        if (done === true) throw new Error('the engine ended')
        const answer = JSON.parse(value) as EngineAnswer
        if (answer.error !== undefined) throw new Error(answer.error)
        answers.push(answer)
      }
    }
    return answers
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process.stdin.end()
    await this.process.exited
    rmSync(this.folder, { recursive: true })
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
