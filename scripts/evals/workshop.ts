/** Where an agent works on one task: a folder with the document and its svc.yaml, and `svc mcp --design` in it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { diff } from '../../src/diff/diff.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { joinDocuments } from '../../src/import/bundle/document.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { grade } from '../../src/lint/grade.ts'
import { lint } from '../../src/lint/lint.ts'
import { recommended } from '../../src/lint/rulesets/recommended.ts'
import { emptyParts, partsFile, rootFile, type Task } from './tasks.ts'

/** The answer of a tool. */
export interface ToolAnswer {
  readonly isError: boolean
  readonly text: string
}

/** A tool as a model reads of it. */
export interface OfferedTool {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: object
}

/** How svc grades what an agent did. */
export interface Verdict {
  readonly passed: boolean
  /** What is missing, breaks or got worse. */
  readonly reasons: readonly string[]
}

/** The tools that are offered: those that work on the files, and those that check. */
const offered = ['edit', 'bundle', 'convert', 'example', 'stub', 'explain']

/** A folder with a server for tasks, one after another. */
export class Workshop {
  readonly #folder: string
  readonly #client: Client
  #before = ''

  private constructor(folder: string, client: Client) {
    this.#folder = folder
    this.#client = client
  }

  /** @param command starts svc: the sources, or an executable */
  static async open(command: readonly string[]): Promise<Workshop> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-evals-'))
    const home = join(folder, '.home')
    mkdirSync(home)
    writeFileSync(join(folder, 'svc.yaml'), `apis:\n  api: { root: ${rootFile} }\n`)
    const [program = '', ...args] = command
    const client = new Client({ name: 'svc-evals', version: '0' })
    const env = { HOME: home, SVC_WORKSPACE: join(home, 'workspace'), PATH: process.env.PATH ?? '' }
    const start = { command: program, args: [...args, 'mcp', '--design'], cwd: folder, env, stderr: 'ignore' as const }
    await client.connect(new StdioClientTransport(start))
    return new Workshop(folder, client)
  }

  /** Puts the document of a task in place. */
  begin({ document }: Task): void {
    this.#before = readFileSync(document, 'utf8')
    writeFileSync(join(this.#folder, rootFile), this.#before)
    writeFileSync(join(this.#folder, partsFile), JSON.stringify(emptyParts, null, 2))
  }

  /** The tools that a model may call. */
  async tools(): Promise<readonly OfferedTool[]> {
    const { tools } = await this.#client.listTools()
    return tools.filter((it) => offered.includes(it.name))
  }

  /** Calls a tool; a refusal is an answer too. */
  async call(tool: string, args: object): Promise<ToolAnswer> {
    if (!offered.includes(tool)) return { isError: true, text: `There is no tool "${tool}".` }
    try {
      const answer = await this.#client.callTool({ name: tool, arguments: { ...args } })
      const texts = answer.content.map((it) => (it.type === 'text' ? it.text : ''))
      return { isError: answer.isError === true, text: texts.join('') }
    } catch (error) {
      return { isError: true, text: error instanceof Error ? error.message : String(error) }
    }
  }

  #read(file: string): string {
    return readFileSync(join(this.#folder, file), 'utf8')
  }

  /** Grades what is there now: nothing breaks, the grade is not lower, and the task is done. */
  grade(task: Task, answer: string): Verdict {
    const [old, now, parts] = [this.#before, this.#read(rootFile), this.#read(partsFile)].map((text, at) =>
      parseDocument(text, { source: at === 2 ? partsFile : rootFile }),
    )
    if (old === undefined || now?.value == null || parts?.value == null)
      return { passed: false, reasons: ['a file cannot be read'] }
    const whole = joinDocuments(now, [parts], (place) => place)
    const [before, after] = [
      lint(old, recommended.ruleset),
      lint(now, recommended.ruleset, { documents: { [partsFile]: parts } }),
    ]
    const { changes, verdict } = diff(old, whole)
    const breaking = changes.filter((it) => it.severity === 'breaking').map((it) => it.message)
    const [first, second] = [grade(before.rules, true)?.score ?? 0, grade(after.rules, true)?.score ?? 0]
    const missing = task.missing({
      before: old.value as JsonObject,
      after: now.value as JsonObject,
      parts: parts.value as JsonObject,
      answer,
    })
    const reasons = [
      ...(verdict === 'safe' ? [] : [`it may break clients: ${breaking.slice(0, 3).join('; ')}`]),
      ...(second < first ? [`the score fell from ${first} to ${second}`] : []),
      ...(missing === null ? [] : [`missing: ${missing}`]),
    ]
    return { passed: reasons.length === 0, reasons }
  }

  async close(): Promise<void> {
    await this.#client.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
