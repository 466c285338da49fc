/** How likely it is that a file of a repository is a document, by its name alone. */
import { isDocumentName } from '../../src/import/tree-path.ts'

/** Files with these names are never documents that anyone imports. */
const otherNames =
  /^(?:package(?:-lock)?|npm-shrinkwrap|tsconfig[\w.-]*|jsconfig|composer|angular|lerna|turbo|nx|biome|deno|renovate|pnpm-lock|pnpm-workspace|docker-compose[\w.-]*|bitbucket-pipelines|mkdocs|\.[\w.-]+)\.(?:json|ya?ml)$/i

const nameOf = (path: string): string => path.split('/').at(-1) ?? ''

/** Whether the name allows a document of a kind that can be imported. */
export const mayBeDocument = (path: string): boolean => isDocumentName(path) && !otherNames.test(nameOf(path))

/** How likely a file is a document, from 1 to 3: the likeliest ones are read first. */
export function likelihoodOf(path: string): number {
  const name = nameOf(path)
  if (/openapi|swagger|arazzo|asyncapi/i.test(name)) return 3
  if (/\.schema\.json$|^server\.json$|(?:^|[.-])api\b/i.test(name)) return 2
  return /(?:^|\/)(?:specs?|apis?|schemas?|openapi|swagger|contracts?)\//i.test(path) ? 2 : 1
}
