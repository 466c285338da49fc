/** Request bodies: JSON against its schema, where the engine can (OpenAPI 3.1, 4.8.14). */
import { findCycles } from '../../kernel/cycles.ts'
import type { MediaType } from '../../diff/model/api.ts'
import { readMediaType } from '../../diff/model/media-type.ts'
import { headerOf, isJson, jsonHeader } from './content.ts'
import { FormRules, isForm } from './forms.ts'
import type { ReleaseFile } from '../compile/model.ts'
import type { Check } from './blocks.ts'
import type { Context, Endpoint } from './model.ts'
import type { Condition } from './seclang.ts'
import { SchemaWriter } from './schema.ts'
import { sha256 } from '../../host/engine.ts'

const unread = 'Bodies of this type are not read; their type is checked alone.'

/** So many kinds of bodies are looked at one after the other. */
const neighbours = 10

/** What is checked of bodies of one media type. */
interface BodyCheck {
  /** Whether it is about the fields of a form: the body of any other type is not looked at. */
  readonly isForm: boolean
  readonly checks: readonly Check[]
}

/** What is checked of the bodies of operations that are alike. */
interface BodyKind {
  readonly number: number
  readonly checks: readonly BodyCheck[]
}

/** The rules about the bodies of all operations. They come in the phase of the body, and find what they check by its number. */
export class BodyRules {
  readonly files = new Map<string, ReleaseFile>()
  /** Bodies that are checked against a schema. */
  count = 0
  private readonly context: Context
  private readonly folder: string
  private readonly writer: SchemaWriter
  private readonly kinds = new Map<string, BodyKind>()
  private readonly kindOf = new Map<Endpoint, BodyKind>()
  private labels = 0

  constructor(context: Context, folder: string) {
    this.context = context
    this.folder = folder
    const { side, losses } = context
    this.writer = new SchemaWriter({
      dialect: side.dialect,
      find: (ref) => side.find(ref),
      lose: (path, reason) => losses.add('body', path, reason),
    })
  }

  private get isOn(): boolean {
    return this.context.mode('body') !== 'off'
  }

  /**
   * Reads what is checked; nothing is written yet.
   * @param endpoints those whose bodies are checked
   */
  read(endpoints: readonly Endpoint[]): void {
    if (!this.isOn) return
    const withBody = endpoints.filter((it) => it.operation.body !== null)
    if (this.context.dialect.noSchemas === null) {
      for (const it of withBody) for (const { schema } of this.jsonOf(it)) if (schema) this.writer.survey(schema)
      this.writer.settle((edges) => findCycles(edges).cycleOf)
    }
    for (const endpoint of withBody) {
      const checks = this.checksOf(endpoint)
      if (checks.length === 0) continue
      const key = JSON.stringify(checks)
      const kind = this.kinds.get(key) ?? { number: this.kinds.size + 1, checks }
      this.kinds.set(key, kind)
      this.kindOf.set(endpoint, kind)
    }
  }

  /** What the rules of an operation set for these. */
  marksOf(endpoint: Endpoint): string[] {
    const { body } = endpoint.operation
    if (!this.isOn || body === null) return []
    const kind = this.kindOf.get(endpoint)
    return [
      ...(kind === undefined ? [] : [`tx.svc_body=${kind.number}`]),
      ...([...body.content.values()].some(isJson) ? [`tx.svc_json=${body.required ? 2 : 1}`] : []),
    ]
  }

  write(): void {
    if (!this.isOn) return
    const { rules } = this.context
    this.wellFormed()
    if (this.kinds.size === 0) return
    const end = 'SVC_BODIES_END'
    rules.flow(2, [{ variables: '&TX:svc_body', operator: '@eq 0' }], [`skipAfter:${end}`])
    this.tree([...this.kinds.values()], end)
    rules.marker(end)
  }

  private jsonOf({ operation: { body } }: Endpoint): readonly MediaType[] {
    return [...(body?.content.values() ?? [])].filter(
      (it) => isJson(it) || readMediaType(it.name).essence.includes('*'),
    )
  }

  private wellFormed(): void {
    const { dialect, rules } = this.context
    const mode = this.context.mode('body')
    if (mode === 'off') return
    const isJsonBody = { variables: 'REQUEST_HEADERS:Content-Type', operator: `@rx ${jsonHeader}` }
    const refusal = (message: string) => ({ check: 'body', mode, status: 400, message, isSparable: false }) as const
    rules.refuse(
      2,
      [{ variables: 'TX:svc_json', operator: '@ge 1' }, isJsonBody, { variables: 'REQBODY_ERROR', operator: '!@eq 0' }],
      refusal('The body is not JSON.'),
    )
    if (!dialect.seesEmptyBodies) return
    // Without a body the schema is not asked; from HTTP/2 on nothing but the body itself shows that there is none.
    rules.refuse(
      2,
      [
        { variables: 'TX:svc_json', operator: '@eq 2' },
        isJsonBody,
        { variables: '&TX:json_request_body', operator: '@eq 0' },
      ],
      refusal('The request has no body of JSON.'),
    )
  }

  private checksOf(endpoint: Endpoint): BodyCheck[] {
    const { losses, dialect } = this.context
    const types = [...(endpoint.operation.body?.content.values() ?? [])]
    const json = this.jsonOf(endpoint)
    const found: BodyCheck[] = []
    const essences = types.map((it) => readMediaType(it.name).essence)
    for (const type of types) {
      const { schema, itemSchema, place, name } = type
      if (itemSchema) losses.add('body', itemSchema.path, 'The items of a sequence are not read one by one.')
      if (!schema) continue
      const { essence } = readMediaType(name)
      if (essences.filter((it) => it === essence).length > 1)
        losses.add('body', schema.path, 'Another media type differs in its parameters only, which do not decide here.')
      else if (isForm(type)) {
        const checks = new FormRules(this.context, type).read()
        if (checks.length > 0) found.push({ isForm: true, checks })
      } else if (!json.includes(type)) losses.add('body', schema.path, unread)
      else if (dialect.noSchemas !== null) losses.add('body', schema.path, dialect.noSchemas)
      else {
        const file = this.fileOf(type)
        if (essence.includes('*')) losses.add('body', place.path, 'Of these media types JSON alone is read.')
        if (file !== null) found.push({ isForm: false, checks: [this.schemaCheck(type, types.filter(isJson), file)] })
      }
    }
    return found
  }

  private fileOf({ schema }: MediaType): string | null {
    const written = schema === null ? null : this.writer.write(schema)
    if (written === null) return null
    this.count++
    const text = `${JSON.stringify(written)}\n`
    const path = `schemas/${sha256(text).slice(0, 16)}.json`
    this.files.set(path, { path, text })
    return path
  }

  private schemaCheck(type: MediaType, others: readonly MediaType[], file: string): Check {
    const isRange = !isJson(type)
    const header = 'REQUEST_HEADERS:Content-Type'
    const ofType: Condition[] = isRange
      ? [
          { variables: header, operator: `@rx ${headerOf([type.name])}` },
          { variables: header, operator: `@rx ${jsonHeader}` },
          ...(others.length === 0
            ? []
            : [{ variables: header, operator: `!@rx ${headerOf(others.map((it) => it.name))}` }]),
        ]
      : [{ variables: header, operator: `@rx ${headerOf([type.name])}` }]
    const named = file.replace(/^schemas/, this.folder.replace(/\/+$/, ''))
    return {
      conditions: [...ofType, { variables: 'REQUEST_BODY', operator: `@validateSchema ${named}` }],
      refusal: {
        check: 'body',
        mode: this.context.mode('body') === 'block' ? 'block' : 'log',
        status: 400,
        message: 'The body does not match the schema of the document.',
        isSparable: true,
      },
    }
  }

  private label(): string {
    return `SVC_BODY_${++this.labels}`
  }

  private kind({ number, checks }: BodyKind): void {
    const { rules } = this.context
    for (const { isForm: isOfForm, checks: list } of checks) {
      if (!isOfForm) {
        const when = { variables: 'TX:svc_body', operator: `@eq ${number}` }
        for (const { conditions, refusal } of list) rules.refuse(2, [when, ...conditions], refusal)
        continue
      }
      const end = this.label()
      rules.flow(2, [{ variables: 'TX:svc_body', operator: `!@eq ${number}` }], [`skipAfter:${end}`])
      rules.flow(2, [{ variables: 'TX:svc_form', operator: '!@eq 1' }], [`skipAfter:${end}`])
      for (const { conditions, refusal } of list) rules.refuse(2, conditions, refusal)
      rules.marker(end)
    }
  }

  /** Halves the kinds until few are left, so that a request meets few rules. */
  private tree(kinds: readonly BodyKind[], end: string): void {
    if (kinds.length <= neighbours) {
      for (const it of kinds) this.kind(it)
      return
    }
    const half = Math.ceil(kinds.length / 2)
    const { rules } = this.context
    const right = this.label()
    rules.flow(2, [{ variables: 'TX:svc_body', operator: `@ge ${kinds[half]?.number ?? 0}` }], [`skipAfter:${right}`])
    this.tree(kinds.slice(0, half), end)
    rules.flow(2, [], [`skipAfter:${end}`])
    rules.marker(right)
    this.tree(kinds.slice(half), end)
  }
}
