/** A small interpreter of messages: what the one operation of a document sends and understands, read from the document alone. */
import { isObject } from '../../../../src/kernel/json.ts'
import type { Json } from '../../../../src/kernel/json.ts'
import { combinations, namesIn, read, write } from './spelling.ts'
import type { Spelling, Texts } from './spelling.ts'
import { SchemaReader } from './validator.ts'
import type { Direction, Reading } from './validator.ts'

type Fields = { readonly [key: string]: Json }

/** A place of a message that has a value of its own. */
export interface Part {
  /** The same on both sides: "query q", "body application/json", "200 application/json", "200 header x". */
  readonly key: string
  readonly direction: Direction
  readonly name: string
  readonly required: boolean
  readonly schema: Json
  readonly form:
    | { readonly is: 'json' }
    | { readonly is: 'text'; readonly spelling: Spelling }
    | { readonly is: 'fields'; readonly multipart: boolean; readonly encoding: Fields }
}

/** What travels in a part: JSON, or texts, those of multipart bodies with their media types. */
export type Sent =
  | { readonly is: 'json'; readonly value: Json }
  | { readonly is: 'texts'; readonly texts: Texts }
  | {
      readonly is: 'parts'
      readonly parts: readonly { readonly name: string; readonly type: string; readonly text: string }[]
    }

const fields = (value: Json | undefined): Fields => (isObject(value) ? value : {})
const items = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : [])

const pairOf = (part: Part, other: Part | undefined): readonly (readonly [Part, Part])[] =>
  other ? [[part, other]] : []

const collected: Readonly<Record<string, Spelling>> = {
  csv: { style: 'form', explode: false, media: null },
  ssv: { style: 'spaceDelimited', explode: false, media: null },
  tsv: { style: 'tabDelimited', explode: false, media: null },
  pipes: { style: 'pipeDelimited', explode: false, media: null },
  multi: { style: 'form', explode: true, media: null },
}

/** One side of a comparison. */
export class Interpreter {
  private readonly document: Fields
  private readonly readers: Readonly<Record<Direction, SchemaReader>>
  readonly parts: ReadonlyMap<string, Part>
  /** The statuses that are described, as they are written. */
  readonly statuses: ReadonlySet<string>

  constructor(document: Json, reading: Reading = 'literal') {
    this.document = fields(document)
    this.readers = {
      request: new SchemaReader(this.document, 'request', reading),
      response: new SchemaReader(this.document, 'response', reading),
    }
    const [item] = Object.values(fields(this.document.paths))
    const [operation] = Object.values(fields(item))
    const responses = fields(fields(operation).responses)
    this.statuses = new Set(Object.keys(responses))
    const all = this.isSwagger
      ? [...this.oldRequest(fields(operation)), ...this.oldResponses(responses)]
      : [...this.request(fields(operation)), ...this.responses(responses)]
    this.parts = new Map(all.map((part) => [part.key, part]))
  }

  get isOld(): boolean {
    return this.isSwagger || String(this.document.openapi).startsWith('3.0')
  }

  get isSwagger(): boolean {
    return this.document.swagger !== undefined
  }

  /** The schema of a part as JSON Schema 2020-12. */
  modern({ schema, direction }: Part): Json {
    return this.readers[direction].modern(schema)
  }

  isValid({ schema, direction }: Part, value: Json): boolean {
    return this.readers[direction].isValid(schema, value)
  }

  /** What a value looks like on the wire; null where that is not defined. */
  write(part: Part, value: Json): Sent | null {
    const { form, name } = part
    if (form.is === 'json') return { is: 'json', value }
    if (form.is === 'text') {
      const texts = write(name, value, form.spelling)
      return texts && { is: 'texts', texts }
    }
    if (!isObject(value)) return null
    return form.multipart ? this.writeParts(part, value) : this.writeFields(part, value)
  }

  /** The part that describes an answer with this status: of the status, its range, or `default` for what is no success. */
  private describing(status: string): string | undefined {
    const known = [status, `${status[0]!}XX`, ...(status.startsWith('2') ? [] : ['default'])]
    return known.find((it) => this.statuses.has(it))
  }

  /** The pairs of a part of the sender and the part of the reader that understands it. */
  pairsWith(reader: Interpreter, direction: Direction): readonly (readonly [Part, Part])[] {
    const own = [...this.parts.values()].filter((part) => part.direction === direction)
    if (direction === 'request') return own.flatMap((part) => pairOf(part, reader.parts.get(part.key)))
    return ['200', '404', '410', '500'].flatMap((status) => {
      const [sends, reads] = [this.describing(status), reader.describing(status)]
      if (sends === undefined || reads === undefined) return []
      const sent = own.filter((part) => part.key.startsWith(`${sends} `))
      return sent.flatMap((part) => pairOf(part, reader.parts.get(`${reads}${part.key.slice(sends.length)}`)))
    })
  }

  /** Whether what travels is understood. */
  isRead(part: Part, sent: Sent): boolean {
    return this.readings(part, sent).some((it) => this.isValid(part, it))
  }

  private readings(part: Part, sent: Sent): readonly Json[] {
    const { form, name } = part
    if (form.is === 'json') return sent.is === 'json' ? [sent.value] : []
    if (form.is === 'text') return sent.is === 'texts' ? read(name, sent.texts, form.spelling, null) : []
    if (sent.is === 'texts') return form.multipart ? [] : this.readFields(part, sent.texts)
    return sent.is === 'parts' && form.multipart ? this.readParts(part, sent.parts) : []
  }

  readonly resolve = (ref: string): Json =>
    ref
      .slice(2)
      .split('/')
      .reduce<Json>((at, step) => fields(at)[step] ?? {}, this.document)

  private propertiesOf(schema: Json): Fields {
    const at = fields(schema)
    if (typeof at.$ref === 'string') return this.propertiesOf(this.resolve(at.$ref))
    return Object.assign({}, fields(at.properties), ...items(at.allOf).map((it) => this.propertiesOf(it))) as Fields
  }

  private spellingIn(encoding: Fields, name: string): Spelling {
    const given = fields(encoding[name])
    const style = typeof given.style === 'string' ? given.style : 'form'
    return { style, explode: typeof given.explode === 'boolean' ? given.explode : style === 'form', media: null }
  }

  private writeFields({ form }: Part, value: Fields): Sent | null {
    if (form.is !== 'fields') return null
    const texts = Object.entries(value).map(([key, it]) => write(key, it, this.spellingIn(form.encoding, key)))
    return texts.every((it) => it !== null) ? { is: 'texts', texts: texts.flat() } : null
  }

  private readFields({ form, schema }: Part, texts: Texts): readonly Json[] {
    if (form.is !== 'fields') return []
    const declared = this.propertiesOf(schema)
    const choices = [...new Set([...Object.keys(declared), ...texts.map(([key]) => key)])].flatMap((key) => {
      const found = read(key, texts, this.spellingIn(form.encoding, key), namesIn(declared[key], this.resolve))
      // A property without a text is left out; one whose texts mean nothing makes the form unreadable.
      if (found.length === 0 && !texts.some(([name]) => name === key)) return []
      return [found.map((it): [string, Json] => [key, it])]
    })
    return combinations(choices).map((members) => Object.fromEntries(members))
  }

  /** The media types that a part of a multipart body may have: those of its encoding, else what its schema means (Encoding Object). */
  private typesOf(encoding: Fields, name: string, schema: Json | undefined): readonly string[] {
    const { contentType } = fields(encoding[name])
    if (typeof contentType === 'string') return contentType.split(',').map((it) => it.trim())
    const at = fields(schema)
    const own = typeof at.$ref === 'string' ? fields(this.resolve(at.$ref)) : at
    if (own.type === 'array') return this.typesOf({}, name, own.items)
    if (own.type === 'object') return ['application/json']
    return own.type === undefined ? ['application/octet-stream'] : ['text/plain']
  }

  private writeParts({ form, schema }: Part, value: Fields): Sent | null {
    if (form.is !== 'fields') return null
    const declared = this.propertiesOf(schema)
    const parts = Object.entries(value).flatMap(([name, it]) => {
      const [type = ''] = this.typesOf(form.encoding, name, declared[name])
      const list = Array.isArray(it) && type !== 'application/json' ? (it as readonly Json[]) : [it]
      return list.map((one) => {
        const isText = type !== 'application/json' && typeof one !== 'object'
        if (!isText && type !== 'application/json') return null
        return { name, type, text: isText ? String(one) : JSON.stringify(one) }
      })
    })
    const known = parts.filter((it) => it !== null)
    return known.length === parts.length ? { is: 'parts', parts: known } : null
  }

  private readParts({ form, schema }: Part, parts: Extract<Sent, { is: 'parts' }>['parts']): readonly Json[] {
    if (form.is !== 'fields') return []
    const declared = this.propertiesOf(schema)
    const choices = [...new Set(parts.map((it) => it.name))].map((name): readonly [string, Json][] => {
      const own = parts.filter((it) => it.name === name)
      const types = this.typesOf(form.encoding, name, declared[name])
      if (declared[name] !== undefined && !own.every((it) => types.includes(it.type))) return []
      const texts = own.map((it): [string, string] => [name, it.text])
      const media = own[0]!.type === 'application/json' ? 'application/json' : null
      const spelling: Spelling = { style: 'form', explode: true, media }
      if (media !== null && own.length > 1) return [[name, own.map((it) => JSON.parse(it.text) as Json)]]
      return read(name, texts, spelling, new Set()).map((it) => [name, it])
    })
    return combinations(choices).map((members) => Object.fromEntries(members))
  }

  private request(operation: Fields): readonly Part[] {
    const parameters = items(operation.parameters).map((given) => {
      const it = fields(given)
      const where = String(it.in)
      const [media] = Object.keys(fields(it.content))
      const style =
        typeof it.style === 'string' ? it.style : where === 'query' || where === 'cookie' ? 'form' : 'simple'
      const explode = typeof it.explode === 'boolean' ? it.explode : style === 'form'
      const schema = media === undefined ? it.schema : fields(fields(it.content)[media]).schema
      return this.text(
        'request',
        `${where} ${String(it.name)}`,
        String(it.name),
        it.required === true,
        schema ?? true,
        {
          style,
          explode,
          media: media ?? null,
        },
      )
    })
    const body = fields(operation.requestBody)
    return [...parameters, ...this.content('request', 'body', body.required === true, fields(body.content))]
  }

  private text(
    direction: Direction,
    key: string,
    name: string,
    required: boolean,
    schema: Json,
    spelling: Spelling,
  ): Part {
    return { key, direction, name, required, schema, form: { is: 'text', spelling } }
  }

  private content(direction: Direction, at: string, required: boolean, content: Fields): readonly Part[] {
    return Object.entries(content).map(([media, given]): Part => {
      const { schema = true, encoding } = fields(given)
      const common = { key: `${at} ${media}`, direction, name: 'body', required, schema }
      if (media === 'text/plain')
        return { ...common, form: { is: 'text', spelling: { style: 'form', explode: true, media } } }
      const multipart = media.startsWith('multipart/')
      if (multipart || media === 'application/x-www-form-urlencoded')
        return { ...common, form: { is: 'fields', multipart, encoding: fields(encoding) } }
      return { ...common, form: { is: 'json' } }
    })
  }

  private responses(responses: Fields): readonly Part[] {
    return Object.entries(responses).flatMap(([status, given]) => {
      const { content, headers } = fields(given)
      const named = Object.entries(fields(headers)).map(([name, header]) => {
        const { schema = true, required, explode } = fields(header)
        const spelling = { style: 'simple', explode: explode === true, media: null }
        return this.text('response', `${status} header ${name}`, name, required === true, schema, spelling)
      })
      return [...named, ...this.content('response', status, true, fields(content))]
    })
  }

  private oldRequest(operation: Fields): readonly Part[] {
    const all = items(operation.parameters).map(fields)
    const [media = 'application/json'] = items(operation.consumes).map(String)
    const inForm = all.filter((it) => it.in === 'formData')
    const parts = all.flatMap((given): readonly Part[] => {
      if (given.in === 'formData') return []
      if (given.in === 'body')
        return this.content('request', 'body', given.required === true, { [media]: { schema: given.schema ?? true } })
      return [this.oldText('request', `${String(given.in)} ${String(given.name)}`, String(given.name), given)]
    })
    if (inForm.length === 0) return parts
    const schema: Json = {
      type: 'object',
      properties: Object.fromEntries(inForm.map((it) => [String(it.name), oldSchema(it)])),
      required: inForm.filter((it) => it.required === true).map((it) => String(it.name)),
    }
    const encoding = Object.fromEntries(
      inForm.map(({ name, collectionFormat }): [string, Json] => {
        const { style, explode } = collected[String(collectionFormat)] ?? collected.csv!
        return [String(name), { style, explode }]
      }),
    )
    return [...parts, ...this.content('request', 'body', false, { [media]: { schema, encoding } })]
  }

  private oldText(direction: Direction, key: string, name: string, given: Fields): Part {
    const inQuery = key.startsWith('query')
    const spelling = collected[String(given.collectionFormat)] ?? collected.csv!
    const style = inQuery || spelling.style !== 'form' ? spelling.style : 'simple'
    const explode = inQuery && spelling.explode
    return this.text(direction, key, name, given.required === true, oldSchema(given), { ...spelling, style, explode })
  }

  private oldResponses(responses: Fields): readonly Part[] {
    return Object.entries(responses).flatMap(([status, given]) => {
      const { schema, headers } = fields(given)
      const named = Object.entries(fields(headers)).map(([name, it]) => ({
        ...this.oldText('response', `${status} header ${name}`, name, fields(it)),
        required: false,
      }))
      if (schema === undefined) return named
      return [...named, ...this.content('response', status, true, { 'application/json': { schema } })]
    })
  }
}

const oldWordsOfParameters: ReadonlySet<string> = new Set(['name', 'in', 'required', 'collectionFormat', 'description'])

/** What a parameter or header of Swagger 2.0 says of its value. */
const oldSchema = (given: Fields): Json =>
  Object.fromEntries(Object.entries(given).filter(([word]) => !oldWordsOfParameters.has(word)))
