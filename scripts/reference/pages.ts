import { commandAnswers, commandPages, linkedToCommands } from './commands.ts'
import { errorPages } from './errors.ts'
import { operationPages } from './operations.ts'

/**
 * The pages of the documentation that are made from the code and are not kept in the repository: every command and every
 * operation. The site, the release and `npm run build` make them.
 * @returns Markdown by path below `docs/`: `reference/commands/lint.md`
 */
export const referencePages = async (): Promise<Readonly<Record<string, string>>> => ({
  ...(await commandPages()),
  ...operationPages(),
})

/**
 * A page for every error and every command, at an address that stays: what the static site has besides the lists.
 * @returns Markdown by path below `docs/`: `errors/usage.md`, `reference/commands/webhooks/list.md`
 */
export const answerPages = async (): Promise<Readonly<Record<string, string>>> => ({
  ...(await commandAnswers()),
  ...errorPages(),
})

/**
 * The Markdown of a list with links to the pages of what it lists.
 * @param path below `docs/`
 */
export const linkedToAnswers = (path: string, markdown: string): string =>
  path === 'errors.md'
    ? markdown.replaceAll(/<a id="([\w-]+)"><\/a>`\1`/g, '<a id="$1"></a>[`$1`](errors/$1.md)')
    : linkedToCommands(path, markdown)
