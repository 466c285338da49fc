/** Which answer belongs to which request of the protocol. */
import type {
  CodeAction,
  CodeActionParams,
  CompletionParams,
  DefinitionParams,
  DocumentSymbolParams,
  HoverParams,
  PrepareRenameParams,
  ReferenceParams,
  RenameParams,
} from 'vscode-languageserver/node'
import type { Actions } from './actions.ts'
import type { Answers } from './answers.ts'

type Answerer = (answers: Answers, params: never, actions: Actions) => Promise<unknown>

/** The requests that the engine answers, by their methods. */
export const questions = {
  'textDocument/definition': (it: Answers, { textDocument, position }: DefinitionParams) =>
    it.definition(textDocument.uri, position),
  'textDocument/references': (it: Answers, { textDocument, position, context }: ReferenceParams) =>
    it.references(textDocument.uri, position, context.includeDeclaration),
  'textDocument/documentSymbol': (it: Answers, { textDocument }: DocumentSymbolParams) => it.symbols(textDocument.uri),
  'textDocument/hover': (it: Answers, { textDocument, position }: HoverParams) => it.hover(textDocument.uri, position),
  'textDocument/prepareRename': (it: Answers, { textDocument, position }: PrepareRenameParams) =>
    it.prepareRename(textDocument.uri, position),
  'textDocument/rename': (it: Answers, { textDocument, position, newName }: RenameParams) =>
    it.rename(textDocument.uri, position, newName),
  'textDocument/completion': (it: Answers, { textDocument, position }: CompletionParams) =>
    it.completion(textDocument.uri, position),
  'textDocument/codeAction': (_: Answers, { textDocument, context }: CodeActionParams, actions: Actions) =>
    actions.offer(textDocument.uri, context),
  'codeAction/resolve': (_: Answers, action: CodeAction, actions: Actions) => actions.resolve(action),
} satisfies Readonly<Record<string, Answerer>>

/** Answers a request; null for one that is not known. Raises as the answer does. */
export function answer(answers: Answers, actions: Actions, method: string, params: unknown): Promise<unknown> {
  const known = Object.hasOwn(questions, method) ? (questions as Readonly<Record<string, Answerer>>)[method] : undefined
  return known === undefined ? Promise.resolve(null) : known(answers, params as never, actions)
}
