/** The outline of a document: what an author looks for by name. */
import type { Document } from '../document/document.ts'
import { isObject, type Json, type JsonObject, type Path, textOf } from '../kernel/json.ts'
import { isMethod } from '../kernel/methods.ts'

/** What a part of a document is to its reader. */
export type SymbolKind = 'group' | 'path' | 'operation' | 'schema' | 'component' | 'property' | 'tool' | 'step' | 'rule'

export interface DocumentSymbol {
  readonly name: string
  /** What is said beside the name; "" where nothing is. */
  readonly detail: string
  readonly kind: SymbolKind
  readonly path: Path
  readonly children: readonly DocumentSymbol[]
}

// An editor draws each of them.
const mostSymbols = 20_000

class Symbols {
  #left = mostSymbols
  readonly #document: Document

  constructor(document: Document) {
    this.#document = document
  }

  #entries(map: Json | undefined, path: Path): [string, Json][] {
    if (!isObject(map)) return []
    return this.#document.keysInOrder(path).flatMap((key) => (Object.hasOwn(map, key) ? [[key, map[key] as Json]] : []))
  }

  make(
    name: string,
    path: Path,
    kind: SymbolKind,
    detail = '',
    children: () => readonly DocumentSymbol[] = () => [],
  ): DocumentSymbol[] {
    if (this.#left-- <= 0) return []
    return [{ name: name === '' ? '(no name)' : name, detail, kind, path, children: children() }]
  }

  map(
    map: Json | undefined,
    path: Path,
    one: (key: string, value: Json, path: Path) => DocumentSymbol[],
  ): DocumentSymbol[] {
    return this.#entries(map, path).flatMap(([key, value]) => one(key, value, [...path, key]))
  }

  list(
    items: Json | undefined,
    path: Path,
    one: (value: JsonObject, path: Path) => DocumentSymbol[],
  ): DocumentSymbol[] {
    if (!Array.isArray(items)) return []
    return (items as readonly Json[]).flatMap((item, index) => (isObject(item) ? one(item, [...path, index]) : []))
  }

  /** A group of the document that has its own name; none where it holds nothing. */
  group(value: JsonObject, key: string, inner: (held: Json, path: Path) => DocumentSymbol[]): DocumentSymbol[] {
    const held = value[key]
    return held === undefined ? [] : this.make(key, [key], 'group', '', () => inner(held, [key]))
  }

  schema(name: string, value: Json, path: Path): DocumentSymbol[] {
    const properties = isObject(value) ? value.properties : undefined
    const detail = isObject(value) ? textOf(value.type) || textOf(value.title) : ''
    return this.make(name, path, 'schema', detail, () =>
      this.map(properties, [...path, 'properties'], (key, it, at) =>
        this.make(key, at, 'property', isObject(it) ? textOf(it.type) || textOf(it.$ref) : ''),
      ),
    )
  }

  pathItem(name: string, item: Json, path: Path): DocumentSymbol[] {
    return this.make(name, path, 'path', '', () =>
      this.map(item, path, (method, operation, at) =>
        isMethod(method) && isObject(operation)
          ? this.make(
              `${method.toUpperCase()} ${name}`,
              at,
              'operation',
              textOf(operation.operationId) || textOf(operation.summary),
            )
          : [],
      ),
    )
  }
}

const isSchemas = (key: string): boolean => key === 'schemas' || key === 'definitions' || key === '$defs'

/** The named parts of a document, in its order; none where it cannot be read. */
export function symbolsOf(document: Document): DocumentSymbol[] {
  const { value } = document
  if (!isObject(value)) return []
  const symbols = new Symbols(document)
  const schemas = (held: Json, path: Path): DocumentSymbol[] =>
    symbols.map(held, path, (name, it, at) => symbols.schema(name, it, at))
  const named = (held: Json, path: Path): DocumentSymbol[] =>
    symbols.map(held, path, (name, _, at) => symbols.make(name, at, 'component'))
  return document.keysInOrder([]).flatMap((key): DocumentSymbol[] => {
    switch (key) {
      case 'paths':
      case 'webhooks':
        return symbols.group(value, key, (held, path) =>
          symbols.map(held, path, (name, it, at) => symbols.pathItem(name, it, at)),
        )
      case 'components':
        return symbols.group(value, key, (held, path) =>
          symbols.map(held, path, (kind, it, at) =>
            symbols.make(kind, at, 'group', '', () => (isSchemas(kind) ? schemas(it, at) : named(it, at))),
          ),
        )
      case 'definitions':
      case '$defs':
        return symbols.group(value, key, schemas)
      case 'properties':
        return symbols.group(value, key, schemas)
      case 'parameters':
      case 'responses':
      case 'securityDefinitions':
        return value.swagger === undefined ? [] : symbols.group(value, key, named)
      case 'workflows':
        return symbols.group(value, key, (held, path) =>
          symbols.list(held, path, (workflow, at) =>
            symbols.make(textOf(workflow.workflowId), at, 'group', textOf(workflow.summary), () =>
              symbols.list(workflow.steps, [...at, 'steps'], (step, place) =>
                symbols.make(textOf(step.stepId), place, 'step', textOf(step.operationId)),
              ),
            ),
          ),
        )
      case 'tools':
      case 'prompts':
      case 'resources':
        return symbols.group(value, key, (held, path) =>
          symbols.list(held, path, (it, at) => symbols.make(textOf(it.name), at, 'tool', textOf(it.title))),
        )
      case 'rules':
        return symbols.group(value, key, (held, path) =>
          symbols.map(held, path, (name, it, at) =>
            symbols.make(name, at, 'rule', isObject(it) ? textOf(it.severity) : textOf(it)),
          ),
        )
      case 'info':
        return symbols.make('info', ['info'], 'group', isObject(value.info) ? textOf(value.info.title) : '')
      default:
        return []
    }
  })
}
