import { commandPages } from './commands.ts'
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
