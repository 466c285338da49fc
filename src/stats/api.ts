/** What an API description has: operations and what is said of them. */
import { isObject, type Json, type JsonObject, listOf, saysSomething } from '../kernel/json.ts'
import { isMethod, operationsIn } from '../kernel/methods.ts'
import { getPath, parseFragment } from '../kernel/pointer.ts'

/** How many of something have something. */
export interface Share {
  readonly count: number
  readonly of: number
}

export interface ApiStats {
  readonly paths: number
  readonly operations: number
  /** By method in lower case, as it is written. */
  readonly methods: Readonly<Record<string, number>>
  readonly deprecatedOperations: number
  readonly webhooks: number
  /** Distinct names of parameters of operations. */
  readonly parameters: number
  readonly tags: {
    readonly declared: number
    readonly used: number
    readonly undeclared: readonly string[]
    readonly unused: readonly string[]
  }
  readonly servers: number
  readonly securitySchemes: number
  readonly coverage: {
    readonly operationIds: Share
    readonly summaries: Share
    readonly descriptions: Share
    readonly parameterDescriptions: Share
    /** Bodies of requests and responses with an example of their own or of their schema. */
    readonly examples: Share
    /** Operations that no client may call without credentials. */
    readonly secured: Share
  }
}

/** An operation, with the path item that has it. */
interface Found {
  readonly method: string
  readonly operation: JsonObject
  readonly item: JsonObject
}

const valuesOf = (value: Json | undefined): Json[] => (isObject(value) ? Object.values(value) : [])

/** Follows references within a document; null where one leads elsewhere. */
const following =
  (root: JsonObject) =>
  (value: Json | undefined): JsonObject | null => {
    let found = value
    for (let hops = 0; isObject(found) && typeof found.$ref === 'string' && hops < 50; hops++) {
      const path = found.$ref.startsWith('#') ? parseFragment(found.$ref) : null
      found = path === null ? undefined : getPath(root, path)
    }
    return isObject(found) ? found : null
  }

class Counting {
  readonly #root: JsonObject
  readonly #follow: (value: Json | undefined) => JsonObject | null

  constructor(root: JsonObject) {
    this.#root = root
    this.#follow = following(root)
  }

  operationsOf(items: Json | undefined): Found[] {
    const entries = isObject(items) ? Object.entries(items).filter(([key]) => !key.startsWith('x-')) : []
    return entries.flatMap(([, value]) => {
      const item = this.#follow(value)
      if (item === null) return []
      const order = Object.keys(item).filter(isMethod)
      return [...operationsIn(item, order, true)].map(({ key, operation }) => ({ method: key, operation, item }))
    })
  }

  /** The parameters of an operation; its own replace those of its path with the same name and place. */
  parametersOf({ operation, item }: Found): JsonObject[] {
    const all = [...listOf(item.parameters), ...listOf(operation.parameters)]
      .map(this.#follow)
      .filter((it) => it !== null)
    return [...new Map(all.map((it) => [JSON.stringify([it.in ?? null, it.name ?? null]), it])).values()]
  }

  isSecured({ operation }: Found): boolean {
    const alternatives = listOf(operation.security ?? this.#root.security)
    return alternatives.length > 0 && alternatives.every((it) => isObject(it) && Object.keys(it).length > 0)
  }

  /** Bodies of requests and responses: whether each has an example. */
  bodiesOf({ operation, item }: Found): boolean[] {
    const responses = valuesOf(operation.responses).map(this.#follow)
    if (typeof this.#root.swagger === 'string') {
      const inputs = this.parametersOf({ operation, item, method: '' }).filter((it) => it.in === 'body')
      const outputs = responses.filter((it) => it !== null && it.schema !== undefined)
      return [...inputs, ...outputs].map((it) => isObject(it?.examples) || this.#hasExample(it?.schema))
    }
    return [this.#follow(operation.requestBody), ...responses].flatMap((it) =>
      valuesOf(it?.content).map((media) => {
        const found = this.#follow(media)
        return found !== null && (this.#saysExample(found) || this.#hasExample(found.schema ?? found.itemSchema))
      }),
    )
  }

  #saysExample(node: JsonObject): boolean {
    const { examples } = node
    return (
      Object.hasOwn(node, 'example') ||
      (typeof examples === 'object' && examples !== null && Object.keys(examples).length > 0)
    )
  }

  #hasExample(schema: Json | undefined): boolean {
    const found = this.#follow(schema)
    return found !== null && this.#saysExample(found)
  }
}

const share = (list: readonly unknown[], of: number): Share => ({ count: list.length, of })

function tagsOf(root: JsonObject, found: readonly Found[]): ApiStats['tags'] {
  const declared = new Set(
    listOf(root.tags).flatMap((it) => (isObject(it) && typeof it.name === 'string' ? [it.name] : [])),
  )
  const used = new Set(found.flatMap(({ operation }) => listOf(operation.tags).filter((it) => typeof it === 'string')))
  return {
    declared: declared.size,
    used: used.size,
    undeclared: [...used.difference(declared)].toSorted(),
    unused: [...declared.difference(used)].toSorted(),
  }
}

/** Counts what an OpenAPI or Swagger document of any version has. References to other files count as nothing. */
export function countApi(root: JsonObject): ApiStats {
  const counting = new Counting(root)
  const inPaths = counting.operationsOf(root.paths)
  const inWebhooks = counting.operationsOf(root.webhooks)
  const every = [...inPaths, ...inWebhooks]
  const parameters = inPaths.flatMap((it) => counting.parametersOf(it))
  const bodies = every.flatMap((it) => counting.bodiesOf(it))
  const components = isObject(root.components) ? root.components : {}
  const methods = Map.groupBy(inPaths, ({ method }) => method)
  return {
    paths: isObject(root.paths) ? Object.keys(root.paths).filter((it) => !it.startsWith('x-')).length : 0,
    operations: inPaths.length,
    methods: Object.fromEntries([...methods].map(([method, all]) => [method, all.length])),
    deprecatedOperations: every.filter(({ operation }) => operation.deprecated === true).length,
    webhooks: inWebhooks.length,
    parameters: new Set(parameters.map(({ name }) => name)).size,
    tags: tagsOf(root, every),
    servers: typeof root.swagger === 'string' ? (saysSomething(root.host) ? 1 : 0) : listOf(root.servers).length,
    securitySchemes: Object.keys(
      (isObject(components.securitySchemes) && components.securitySchemes) ||
        (isObject(root.securityDefinitions) && root.securityDefinitions) ||
        {},
    ).length,
    coverage: {
      operationIds: share(
        every.filter(({ operation }) => saysSomething(operation.operationId)),
        every.length,
      ),
      summaries: share(
        every.filter(({ operation }) => saysSomething(operation.summary)),
        every.length,
      ),
      descriptions: share(
        every.filter(({ operation }) => saysSomething(operation.description)),
        every.length,
      ),
      parameterDescriptions: share(
        parameters.filter(({ description }) => saysSomething(description)),
        parameters.length,
      ),
      examples: share(bodies.filter(Boolean), bodies.length),
      secured: share(
        inPaths.filter((it) => counting.isSecured(it)),
        inPaths.length,
      ),
    },
  }
}
