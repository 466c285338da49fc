/** Spectral itself, from a folder where it is installed: what our answers are compared with. */
import fs, { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import type { Range } from '../../src/document/position.ts'

/** A finding in the words of both: severity 0 is an error, 3 a hint. */
export interface Said {
  readonly code: string
  readonly path: readonly (string | number)[]
  readonly severity: number
  readonly message: string
  readonly range: Range
  readonly source?: string
}

interface Core {
  readonly Spectral: new () => {
    setRuleset(it: unknown): void
    run(document: unknown, options: object): Promise<Said[]>
  }
  readonly Document: new (text: string, parser: unknown, source: string) => unknown
  readonly Ruleset: new (definition: unknown, context: object) => unknown
}

type Named = Readonly<Record<string, unknown>>

const formatNames: Readonly<Record<string, string>> = {
  'json-schema': 'jsonSchema',
  'json-schema-loose': 'jsonSchemaLoose',
}

/** Spectral with rulesets made of plain data. */
export class Oracle {
  private readonly core: Core
  private readonly functions: Named
  private readonly formats: Named
  private readonly rulesets: Named
  private readonly parser: unknown
  private readonly require: NodeJS.Require
  private readonly folder: string

  constructor(folder: string) {
    this.folder = resolve(folder)
    this.require = createRequire(join(resolve(folder), 'package.json'))
    const load = (name: string): unknown => this.require(`@stoplight/spectral-${name}`)
    this.core = load('core') as Core
    this.functions = load('functions') as Named
    this.formats = load('formats') as Named
    this.rulesets = load('rulesets') as Named
    this.parser = (load('parsers') as Named).Yaml
  }

  /** What Spectral says of a text. `source` is an absolute path: beside it references are looked for. */
  async run(ruleset: JsonObject, text: string, source: string, rulesetSource: string): Promise<Said[]> {
    const made = new this.core.Ruleset(this.definition(ruleset), { severity: 'recommended', source: rulesetSource })
    return this.runWith(made, text, source)
  }

  /** As `run`, with a ruleset of a file, read as the command line of Spectral reads it. */
  async runFile(file: string, texts: readonly { text: string; source: string }[]): Promise<Said[][]> {
    const { migrateRuleset } = this.require('@stoplight/spectral-ruleset-migrator') as {
      migrateRuleset(path: string, options: object): Promise<string>
    }
    const path = resolve(file)
    const isScript = /\.[mc]?js$/.test(path)
    const asModule = join(this.folder, `.${Bun.hash(path).toString(16)}.cjs`)
    if (!isScript) writeFileSync(asModule, await migrateRuleset(path, { format: 'commonjs', fs }))
    const definition = this.require(isScript ? path : asModule) as unknown
    const made = new this.core.Ruleset(definition, { severity: 'recommended', source: path })
    return Promise.all(texts.map(({ text, source }) => this.runWith(made, text, source)))
  }

  private async runWith(ruleset: unknown, text: string, source: string): Promise<Said[]> {
    const spectral = new this.core.Spectral()
    spectral.setRuleset(ruleset)
    return spectral.run(new this.core.Document(text, this.parser, source), { ignoreUnknownFormat: false })
  }

  private definition(ruleset: JsonObject): Named {
    const rules = Object.entries((ruleset.rules ?? {}) as JsonObject)
    return {
      ...ruleset,
      ...this.withFormats(ruleset),
      ...(ruleset.extends === undefined ? {} : { extends: this.extended(ruleset.extends) }),
      ...(ruleset.aliases === undefined ? {} : { aliases: this.aliases(ruleset.aliases as JsonObject) }),
      ...(ruleset.rules === undefined
        ? {}
        : { rules: Object.fromEntries(rules.map(([id, it]) => [id, this.rule(it)])) }),
      ...(ruleset.overrides === undefined
        ? {}
        : { overrides: (ruleset.overrides as readonly JsonObject[]).map((it) => this.definition(it)) }),
    }
  }

  private extended(value: Json): unknown {
    if (typeof value === 'string') return this.rulesets[value.replace('spectral:', '')]
    if (!Array.isArray(value)) return this.definition(value as JsonObject)
    return (value as readonly Json[]).map((it) => {
      const [name, mode] = Array.isArray(it) ? (it as readonly Json[]) : [it]
      const found = this.extended(name ?? null)
      return mode === undefined ? found : [found, mode]
    })
  }

  private withFormats({ formats }: JsonObject): Named {
    if (!Array.isArray(formats)) return {}
    return { formats: formats.map((it) => this.formats[formatNames[String(it)] ?? String(it).replace('.', '_')]) }
  }

  private aliases(aliases: JsonObject): Named {
    return Object.fromEntries(
      Object.entries(aliases).map(([name, it]) => [
        name,
        Array.isArray(it)
          ? it
          : {
              targets: ((it as JsonObject).targets as readonly JsonObject[]).map((one) => ({
                ...one,
                ...this.withFormats(one),
              })),
            },
      ]),
    )
  }

  private rule(rule: Json): unknown {
    if (typeof rule !== 'object' || rule === null) return rule
    const it = rule as JsonObject
    const then = (one: JsonObject) => ({ ...one, function: this.functions[String(one.function)] })
    const own = it.then
    return {
      ...it,
      ...this.withFormats(it),
      ...(own === undefined
        ? {}
        : { then: Array.isArray(own) ? own.map((one) => then(one as JsonObject)) : then(own as JsonObject) }),
    }
  }
}
