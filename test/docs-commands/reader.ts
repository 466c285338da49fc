/** Follows a page of the documentation: runs its commands in their order and compares what they print with what the page shows. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { type Block, type CommandLine, commandsOf, linesOf } from '../fixtures/documented-commands.ts'
import { runCommand } from '../fixtures/run-command.ts'

/** What a page presupposes, and what of it is not run. */
export interface Scenario {
  /** Files that are there before the first line. */
  readonly files?: Readonly<Record<string, string>>
  /** Lines that make what the page presupposes. */
  readonly before?: readonly string[]
  /** Exit codes other than 0, by command. */
  readonly exits?: Readonly<Record<string, number>>
  /** Words of the page that stand for an id: the command whose output has it, and where. */
  readonly ids?: Readonly<Record<string, readonly [command: string, place: RegExp]>>
  /** Lines with which another story begins: what the page presupposes is made anew before them. */
  readonly anew?: readonly string[]
  /** Lines, commands and outputs that are left out, by how they begin, with the reason. */
  readonly left?: Readonly<Record<string, string>>
}

const author = {
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.com',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'ann@example.com',
  GIT_CONFIG_NOSYSTEM: '1',
}

export class Reader {
  readonly folder: string
  readonly scenario: Scenario
  /** What the page says and the program does not do. */
  readonly problems: string[] = []
  /** The reasons that left something out. */
  readonly used = new Set<string>()
  #printed = ''

  constructor(folder: string, scenario: Scenario) {
    this.folder = folder
    this.scenario = scenario
  }

  /** Makes what the page presupposes. */
  async prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true })
    for (const [name, text] of Object.entries(this.scenario.files ?? {})) await this.#write(name, text)
    for (const line of this.scenario.before ?? []) await this.#line(line)
  }

  /** Does what a block says: runs its lines, writes the file that it shows, or compares an output. */
  async block({ language, text, file }: Block): Promise<void> {
    if (file !== null) await this.#write(file, text)
    if (language === '' && !this.#isLeft(text)) this.#compare(text)
    if (language !== 'sh') return
    this.#printed = ''
    for (const line of linesOf(text)) if (!this.#isLeft(line)) await this.#line(line)
  }

  /** @returns reasons that leave nothing out any more */
  unused(): string[] {
    return Object.keys(this.scenario.left ?? {}).filter((start) => !this.used.has(start))
  }

  #isLeft(text: string): boolean {
    const start = Object.keys(this.scenario.left ?? {}).find((it) => text.startsWith(it))
    if (start !== undefined) this.used.add(start)
    return start !== undefined
  }

  async #write(name: string, text: string): Promise<void> {
    const path = join(this.folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }

  async #line(line: string): Promise<void> {
    if (this.scenario.anew?.some((start) => line.startsWith(start))) {
      await rm(this.folder, { recursive: true })
      await this.prepare()
    }
    const commands = commandsOf(line)
    if (commands.length === 0) await this.#shell(line)
    for (const command of commands) if (!this.#isLeft(command.text)) await this.#command(command)
  }

  async #command(line: CommandLine): Promise<void> {
    const words: string[] = []
    for (const word of line.words)
      words.push(
        ...(word.includes('*')
          ? [...new Bun.Glob(word).scanSync({ cwd: this.folder })].toSorted()
          : [await this.#idOf(word)]),
      )
    const { exit, stdout, stderr } =
      words[0] === 'serve' ? await this.#serve(words) : await this.#run(words, line.variables)
    const expected = this.scenario.exits?.[line.text] ?? 0
    if (exit !== expected)
      this.problems.push(`${line.text}: exit code ${exit}\n${stdout.slice(0, 500)}${stderr.slice(0, 800)}`)
    if (line.outputFile !== null) await this.#write(line.outputFile, stdout)
    this.#printed += `${stdout}${stderr}\n`
  }

  #run(words: readonly string[], variables: Readonly<Record<string, string>>) {
    const env = { SVC_WORKSPACE: join(this.folder, '.workspace'), HOME: this.folder, ...variables }
    return runCommand(words, registry, { cwd: this.folder, env })
  }

  /** Starts the service on a free port of loopback, asks whether it is ready, and stops it. */
  async #serve(words: readonly string[]) {
    const stop = new AbortController()
    const limit = setTimeout(() => stop.abort(), 20_000)
    let ready: Promise<number> | undefined
    const outcome = await runCommand(words, registry, {
      cwd: this.folder,
      env: {
        SVC_WORKSPACE: join(this.folder, '.workspace'),
        SVC_HOST: '127.0.0.1',
        SVC_PORT: '0',
        SVC_LOG_LEVEL: 'error',
      },
      signal: stop.signal,
      onStdout: (text) => {
        const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0]
        if (address === undefined || ready !== undefined) return
        ready = fetch(`${address}/readyz`).then(({ status }) => status)
        void ready.finally(() => stop.abort())
      },
    })
    clearTimeout(limit)
    if ((await ready) !== 200) this.problems.push(`svc ${words.join(' ')}: the service was not ready`)
    return outcome
  }

  /** Replaces a word that the page uses as a placeholder by the id that an earlier command made. */
  async #idOf(word: string): Promise<string> {
    const [command, place] = this.scenario.ids?.[word] ?? []
    if (command === undefined || place === undefined) return word
    const line = commandsOf(command)[0]
    const { stdout } = await this.#run(line?.words ?? [], {})
    const id = place.exec(stdout)?.[1]
    if (id === undefined) this.problems.push(`${command} has no ${word}:\n${stdout}`)
    return id ?? word
  }

  async #shell(line: string): Promise<void> {
    // The folder that a page makes is the one that it is run in.
    if (/^(mkdir|cd) /.test(line)) return
    const child = Bun.spawn(['bash', '-c', line], {
      cwd: this.folder,
      env: { PATH: process.env.PATH, HOME: this.folder, ...author },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [stdout, stderr, exit] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    if (exit !== 0) this.problems.push(`${line}: exit code ${exit}\n${stderr}`)
    this.#printed += `${stdout}${stderr}\n`
  }

  /** Compares the output that the page shows with what its last commands printed. An ellipsis on a line matches any number of lines. */
  #compare(shown: string): void {
    const lines = (text: string) =>
      text
        .replaceAll(/[ \t]+$/gm, '')
        .replaceAll(/\n{2,}/g, '\n')
        .trim()
    const parts = lines(shown)
      .split(/^…$/m)
      .map((part) => part.trim())
    let rest = lines(this.#printed)
    const isThere = parts.every((part) => {
      const at = rest.indexOf(part)
      rest = rest.slice(Math.max(at, 0) + part.length)
      return at >= 0
    })
    const isWhole = parts.length > 1 || rest === ''
    if (!isThere || !isWhole || !lines(this.#printed).startsWith(parts[0] ?? ''))
      this.problems.push(`The page shows:\n${shown}\nThe command prints:\n${this.#printed}`)
  }
}
