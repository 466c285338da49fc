/** Answers to what an editor asks about a document. */
import {
  CompletionItemKind,
  MarkupKind,
  ResponseError,
  SymbolKind as Symbols,
  type CompletionItem,
  type DocumentSymbol as EditorSymbol,
  type Hover,
  type Location,
  type Position,
  type PrepareRenameResult,
  type Range,
  type WorkspaceEdit,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import type { Document } from '../../src/document/document.ts'
import type { Path } from '../../src/kernel/json.ts'
import { getPath } from '../../src/kernel/pointer.ts'
import type { Documents, Target } from '../../src/document/reference.ts'
import { componentAt } from '../../src/language/component.ts'
import { complete, type Proposal } from '../../src/language/completion.ts'
import { excerptOf } from '../../src/language/excerpt.ts'
import { placeAt, type NodeAtOffset } from '../../src/language/place.ts'
import { CannotRename, renamable, renameComponent } from '../../src/language/rename.ts'
import { symbolsOf, type DocumentSymbol, type SymbolKind } from '../../src/language/symbols.ts'
import { operationPaths, targetAt, usesIn, usesOf, type Use } from '../../src/language/uses.ts'
import type { Edit } from '../../src/kernel/edits.ts'
import type { Engine } from './engine.ts'
import { asksForType, isTypeKey } from './types.ts'
import { keyOf, type Key } from './store.ts'
import { Positions } from './text.ts'

/** Where an editor asks. */
export interface EditorQuestion {
  readonly document: Document
  readonly documents: Documents
  readonly place: NodeAtOffset
  readonly offset: number
}

const symbolKinds: Readonly<Record<SymbolKind, EditorSymbol['kind']>> = {
  group: Symbols.Namespace,
  path: Symbols.Module,
  operation: Symbols.Method,
  schema: Symbols.Class,
  component: Symbols.Object,
  property: Symbols.Property,
  tool: Symbols.Function,
  step: Symbols.Event,
  rule: Symbols.Constant,
}

const completionKinds: Readonly<Record<Proposal['kind'], CompletionItemKind>> = {
  property: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  reference: CompletionItemKind.Reference,
  rule: CompletionItemKind.Constant,
}

/** How many folders above its own a reference that is being typed begins. */
const foldersAbove = (text: string, offset: number): number =>
  (/\$ref["']?\s*:\s*["']?((?:\.\.\/)+)[^"'\n]*$/.exec(text.slice(Math.max(0, offset - 500), offset))?.[1] ?? '')
    .length / 3

/** What is shown: a registered type, or a part of a document with the file that it is in. */
function titleOf({ document, path }: Pick<Target, 'document' | 'path'>, from: Document): string {
  const [name, { source }] = [path.at(-1), document]
  if (isTypeKey(source)) return name === undefined ? `**${source}**, a registered type` : `**${name}** of ${source}`
  const where = document === from ? '' : ` (${source.replace(/^.*\//, '')})`
  return `**${name ?? 'the document'}**${where}`
}

// The code of a request that was right and cannot be done (Language Server Protocol 3.17, RequestFailed).
const requestFailed = -32803

/** Navigation, hover, outline and renaming. */
export class Answers {
  readonly #engine: Engine
  folders: readonly string[] = []

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Where in which document; null where no such text is open. */
  async at(uri: string, position: Position): Promise<EditorQuestion | null> {
    const key = keyOf(uri)
    const { store, encoding } = this.#engine
    const open = store.open.get(key)
    if (open === undefined) return null
    const { document } = open
    const offset = new Positions(open.text, encoding).offset(position)
    const documents = document.value === null ? {} : await store.documentsOf(document)
    return { document, documents, place: placeAt(document, offset), offset }
  }

  async #range(document: Document, path: Path, isKey: boolean): Promise<Range> {
    const positions = await this.#engine.store.positionsOf(document.source, this.#engine.encoding)
    return positions.range(document.locate(path, { key: isKey }))
  }

  async #location({ document, path }: Pick<Target, 'document' | 'path'>, isKey = true): Promise<Location> {
    const { store } = this.#engine
    // Editors open files: a registered type is one that cannot be changed.
    const key = isTypeKey(document.source) ? await store.types.fileOf(document) : document.source
    return { uri: store.uriOf(key), range: await this.#range(document, path, isKey) }
  }

  /** What is named at a place: what a text there refers to, or the definition or operation itself. */
  #subject({ document, documents, place: { path, isKey } }: EditorQuestion): Pick<Target, 'document' | 'path'> | null {
    const named = targetAt(document, path, documents)
    if (named !== null) return named.target
    if (isKey && renamable(document, path) !== null) return { document, path }
    const operation = path.at(-1) === 'operationId' ? path.slice(0, -1) : path
    const id = getPath(document.value, [...operation, 'operationId'])
    if (typeof id === 'string' && operationPaths(document).get(id)?.join('\n') === operation.join('\n'))
      return { document, path: operation }
    return null
  }

  async definition(uri: string, position: Position): Promise<Location | null> {
    const asked = await this.at(uri, position)
    const subject = asked === null ? null : this.#subject(asked)
    return subject === null ? null : this.#location(subject)
  }

  async #usesIn(document: Document): Promise<Use[]> {
    return usesIn(document, document.value === null ? {} : await this.#engine.store.documentsOf(document))
  }

  /** Everything that names anything, of all documents that may refer to one. */
  async #usesAround(key: Key): Promise<Use[]> {
    const all: Use[] = []
    for (const document of await this.#engine.store.naming(key, this.folders))
      all.push(...(await this.#usesIn(document)))
    return all
  }

  async references(uri: string, position: Position, withItself: boolean): Promise<Location[]> {
    const asked = await this.at(uri, position)
    if (asked === null) return []
    // On the first line a file that names nothing there is meant itself.
    const itself = position.line === 0 ? { document: asked.document, path: [] } : null
    const subject = this.#subject(asked) ?? itself
    if (subject === null) return []
    const uses = usesOf(await this.#usesAround(subject.document.source), subject)
    const found = await Promise.all(uses.map((it) => this.#location(it, it.isKey)))
    return withItself ? [await this.#location(subject), ...found] : found
  }

  async symbols(uri: string): Promise<EditorSymbol[]> {
    const open = this.#engine.store.open.get(keyOf(uri))
    if (open === undefined) return []
    const { document } = open
    const positions = new Positions(open.text, this.#engine.encoding)
    const shown = ({ name, detail, kind, path, children }: DocumentSymbol): EditorSymbol => {
      const own = positions.range(document.locate(path))
      const key = positions.range(document.locate(path, { key: true }))
      const isBefore = key.start.line < own.start.line || key.start.character < own.start.character
      return {
        name,
        detail,
        kind: symbolKinds[kind],
        range: { start: isBefore ? key.start : own.start, end: own.end },
        // An item of a list has no key: its beginning is shown for it.
        selectionRange: typeof path.at(-1) === 'number' ? { start: own.start, end: own.start } : key,
        children: children.map(shown),
      }
    }
    return symbolsOf(document).map(shown)
  }

  async hover(uri: string, position: Position): Promise<Hover | null> {
    const asked = await this.at(uri, position)
    if (asked === null) return null
    const { document, documents, place } = asked
    const parts = await this.#engine.explainAt(uri, position)
    const named = targetAt(document, place.path, documents)
    const itself = place.isKey && componentAt(document.value, place.path)?.path.length === place.path.length
    const value = itself ? getPath(document.value, place.path) : undefined
    const shown = named?.target ?? (value === undefined ? null : { document, path: place.path, value })
    if (shown !== null) {
      parts.push(`${titleOf(shown, document)}\n\n\`\`\`yaml\n${excerptOf(shown, documents)}\n\`\`\``)
    }
    return parts.length === 0 ? null : { contents: { kind: MarkupKind.Markdown, value: parts.join('\n\n---\n\n') } }
  }

  /** The definition that renaming at a place renames. */
  #renamed(asked: EditorQuestion): { readonly document: Document; readonly path: Path } | null {
    const { document, place } = asked
    const subject = this.#subject(asked)
    if (subject !== null && isTypeKey(subject.document.source)) return null
    if (subject !== null && renamable(subject.document, subject.path) !== null) return subject
    return place.isKey && renamable(document, place.path) !== null ? { document, path: place.path } : null
  }

  async prepareRename(uri: string, position: Position): Promise<PrepareRenameResult | null> {
    const asked = await this.at(uri, position)
    const renamed = asked === null ? null : this.#renamed(asked)
    if (asked === null || renamed === null) return null
    const { document, place } = asked
    return { range: await this.#range(document, place.path, place.isKey), placeholder: String(renamed.path.at(-1)) }
  }

  /** @throws ResponseError where the name is invalid or taken, or nothing at the place can be renamed */
  async rename(uri: string, position: Position, name: string): Promise<WorkspaceEdit> {
    const asked = await this.at(uri, position)
    const renamed = asked === null ? null : this.#renamed(asked)
    if (asked === null || renamed === null)
      throw new ResponseError(
        requestFailed,
        'Only definitions can be renamed: place the cursor on the name of one, or on a reference to it.',
      )
    const { document, path } = renamed
    const component = componentAt(document.value, path)
    if (component === null) throw new ResponseError(requestFailed, 'There is no definition at this place.')
    try {
      const edits = renameComponent(document, component, name, await this.#usesAround(document.source))
      return this.editOf(edits)
    } catch (error) {
      if (error instanceof CannotRename) throw new ResponseError(requestFailed, error.message)
      throw error
    }
  }

  async completion(uri: string, position: Position): Promise<CompletionItem[]> {
    const open = this.#engine.store.open.get(keyOf(uri))
    if (open === undefined) return []
    const { store, encoding } = this.#engine
    const positions = new Positions(open.text, encoding)
    const text = open.text.getText()
    const offset = positions.offset(position)
    const found = complete(text, offset, {
      syntax: open.currentSyntax,
      isRuleset: open.isRuleset,
      others: await store.beside(open.key, foldersAbove(text, offset)),
      types: asksForType(text, offset) ? await store.types.names() : [],
    })
    if (found === null) return []
    const range = positions.between(found.start, found.end)
    return found.proposals.map(({ label, kind, detail, text: newText }, index) => ({
      label,
      kind: completionKinds[kind],
      detail,
      // In the order of the specification.
      sortText: String(index).padStart(5, '0'),
      filterText: newText,
      textEdit: { range, newText },
    }))
  }

  /** Edits of documents as the editor applies them. */
  editOf(all: readonly { readonly document: Document; readonly edits: readonly Edit[] }[]): WorkspaceEdit {
    const { store, encoding } = this.#engine
    const changes: NonNullable<WorkspaceEdit['changes']> = {}
    for (const { document, edits } of all) {
      const positions = new Positions(TextDocument.create('', '', 0, document.text), encoding)
      changes[store.uriOf(document.source)] = edits.map(({ start, end, text }) => ({
        range: positions.between(start, end),
        newText: text,
      }))
    }
    return { changes }
  }
}
