/** Follows a page of the documentation: runs its commands in their order and compares what they print with what the page shows. */
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { type Block, type CommandLine, commandsOf, linesOf } from '../fixtures/documented-commands.ts'
import { type Outcome, runCommand } from '../fixtures/run-command.ts'

/** What stands beside the reader of a page while it is followed, such as a forge or a receiver of webhooks. */
export interface Beside {
  /** What the reader fills in, as `fill` of a scenario. */
  readonly fill?: Readonly<Record<string, string>>
  /** Variables of the environment. */
  readonly env?: Readonly<Record<string, string>>
  stop(): Promise<void> | void
}

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
  /** Texts of the page, and what the reader fills in for each: `{folder}` is the folder that the page is followed in. */
  readonly fill?: Readonly<Record<string, string>>
  /** Variables of the environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Programs of others that the page calls, as scripts for `sh`. */
  readonly programs?: Readonly<Record<string, string>>
  /** Commands that go on until they are stopped, by words of theirs: they are stopped when they print this. */
  readonly until?: Readonly<Record<string, RegExp>>
  /** Patterns of texts that differ in each run, with what replaces them in the output and on the page. */
  readonly settle?: readonly (readonly [RegExp, string])[]
  /** Lines that make what happens meanwhile elsewhere, by how the command begins before which it happens. */
  readonly meanwhile?: Readonly<Record<string, readonly string[]>>
  /** Starts what stands beside the reader. */
  readonly beside?: (folder: string) => Promise<Beside>
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

const main = resolve(import.meta.dir, '../../cli/main.ts')

export class Reader {
  readonly folder: string
  readonly scenario: Scenario
  /** What the page says and the program does not do. */
  readonly problems: string[] = []
  /** The reasons that left something out. */
  readonly used = new Set<string>()
  #printed = ''
  #beside: Beside | undefined
  /** Where `cd` led. */
  #cwd: string
  /** What `export` set. */
  readonly #exported: Record<string, string> = {}

  constructor(folder: string, scenario: Scenario) {
    this.folder = folder
    this.scenario = scenario
    this.#cwd = folder
  }

  /** Makes what the page presupposes. */
  async prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true })
    this.#cwd = this.folder
    await mkdir(this.#programs, { recursive: true })
    const programs = { svc: `exec "${process.execPath}" "${main}" "$@"`, ...this.scenario.programs }
    for (const [name, script] of Object.entries(programs)) {
      await writeFile(join(this.#programs, name), `#!/bin/sh\n${script}\n`)
      await chmod(join(this.#programs, name), 0o755)
    }
    this.#beside ??= await this.scenario.beside?.(this.folder)
    for (const [name, text] of Object.entries(this.scenario.files ?? {})) await this.#write(name, this.#filled(text))
    for (const line of this.scenario.before ?? []) await this.#line(line)
  }

  async stop(): Promise<void> {
    await this.#beside?.stop()
  }

  /** Does what a block says: runs its lines, writes the file that it shows, or compares an output. */
  async block({ language, text, file }: Block): Promise<void> {
    if (file !== null) await this.#write(join(this.#cwd.slice(this.folder.length), file), this.#filled(text))
    if (language === '' && !this.#isLeft(text)) this.#compare(this.#filled(text))
    if (language !== 'sh') return
    this.#printed = ''
    for (const line of linesOf(text)) {
      const [, lines = []] =
        Object.entries(this.scenario.meanwhile ?? {}).find(([start]) => line.startsWith(start)) ?? []
      const printed = this.#printed
      for (const it of lines) await this.#line(it)
      this.#printed = printed
      if (!this.#isLeft(line)) await this.#line(line)
    }
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

  /** The text with what the reader fills in. */
  #filled(text: string): string {
    const fill = { ...this.scenario.fill, ...this.#beside?.fill }
    return Object.entries(fill).reduce(
      (rest, [written, meant]) => rest.replaceAll(written, meant.replaceAll('{folder}', this.folder)),
      text,
    )
  }

  /** Beside the folder: a page may add all that is in its folder to a repository. */
  get #programs(): string {
    return `${this.folder}.programs`
  }

  get #path(): string {
    return `${this.#programs}:${process.env['PATH'] ?? ''}`
  }

  get #env(): Record<string, string> {
    return {
      SVC_WORKSPACE: join(this.folder, '.workspace'),
      HOME: this.folder,
      ...this.scenario.env,
      ...this.#beside?.env,
      ...this.#exported,
    }
  }

  async #line(written: string): Promise<void> {
    const line = this.#filled(written)
    if (this.scenario.anew?.some((start) => line.startsWith(start))) {
      await rm(this.folder, { recursive: true })
      await this.prepare()
    }
    const [, folder] = /^cd (\S+)$/.exec(line) ?? []
    if (folder !== undefined) {
      this.#cwd = resolve(this.#cwd, folder)
      return
    }
    // A shell is needed where svc reads what another program writes, or the other way round.
    const commands = /\| svc |\$\(svc |> [~"]/.test(line) ? [] : commandsOf(line)
    if (commands.length === 0) await this.#shell(line)
    for (const command of commands) if (!this.#isLeft(command.text)) await this.#command(command)
  }

  async #command(line: CommandLine): Promise<void> {
    const words: string[] = []
    for (const word of line.words)
      words.push(
        ...(word.includes('*')
          ? [...new Bun.Glob(word).scanSync({ cwd: this.#cwd })].toSorted()
          : [await this.#idOf(word)]),
      )
    const [, until] = Object.entries(this.scenario.until ?? {}).find(([words]) => line.text.includes(words)) ?? []
    const { exit, stdout, stderr } =
      words[0] === 'serve' || words[0] === 'worker'
        ? await this.#serve(words, line.variables)
        : await this.#run(words, { variables: line.variables, until })
    const expected = this.scenario.exits?.[line.text] ?? 0
    // 130 is the exit code of a command that was interrupted.
    if (exit !== expected && !(exit === 130 && until !== undefined))
      this.problems.push(`${line.text}: exit code ${exit}\n${stdout.slice(0, 500)}${stderr.slice(0, 800)}`)
    if (line.outputFile !== null) await writeFile(resolve(this.#cwd, line.outputFile), stdout)
    this.#printed += `${stdout}${stderr}\n`
  }

  async #run(
    words: readonly string[],
    { variables = {}, until }: { variables?: Readonly<Record<string, string>>; until?: RegExp | undefined } = {},
  ): Promise<Outcome> {
    const stop = new AbortController()
    const limit = until && setTimeout(() => stop.abort(), 60_000)
    let printed = ''
    const watch = (text: string): void => {
      printed += text
      if (until?.test(printed) === true) stop.abort()
    }
    const outcome = await runCommand(words, registry, {
      cwd: this.#cwd,
      env: { PATH: this.#path, ...this.#env, ...variables },
      signal: stop.signal,
      onStdout: watch,
      onStderr: watch,
    })
    clearTimeout(limit)
    if (until && !until.test(printed)) this.problems.push(`svc ${words.join(' ')} did not print ${until.source}`)
    return outcome
  }

  /** Starts the service on a free port of loopback, asks whether it is ready, and stops it. */
  async #serve(words: readonly string[], variables: Readonly<Record<string, string>>): Promise<Outcome> {
    const stop = new AbortController()
    const limit = setTimeout(() => stop.abort(), 60_000)
    let ready: Promise<number> | undefined
    const outcome = await runCommand(words, registry, {
      cwd: this.#cwd,
      env: { ...this.#env, SVC_HOST: '127.0.0.1', SVC_PORT: '0', SVC_LOG_LEVEL: 'error', ...variables },
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
    const { stdout } = await this.#run(await Promise.all((line?.words ?? []).map((it) => this.#idOf(it))))
    const id = place.exec(stdout)?.[1]
    if (id === undefined) this.problems.push(`${command} has no ${word}:\n${stdout}`)
    return id ?? word
  }

  async #shell(line: string): Promise<void> {
    const [, exported] = /^(?:export )?(\w+)=/.exec(line) ?? []
    const child = Bun.spawn(['bash', '-c', exported === undefined ? line : `${line}; printf %s "$${exported}"`], {
      cwd: this.#cwd,
      env: { ...this.#env, ...author, PATH: this.#path },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [stdout, stderr, exit] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    if (exit !== 0) this.problems.push(`${line}: exit code ${exit}\n${stderr}`)
    if (exported !== undefined) {
      this.#exported[exported] = stdout
      return
    }
    this.#printed += `${stdout}${stderr}\n`
  }

  /** Compares the output that the page shows with what its last commands printed. An ellipsis on a line matches any number of lines. */
  #compare(shown: string): void {
    const lines = (text: string): string =>
      (this.scenario.settle ?? [])
        .reduce((rest, [from, to]) => rest.replaceAll(from, to), text)
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
