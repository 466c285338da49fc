import { validateStructure } from '../../document/validate/structure.ts'
import type { LintFunction } from '../rule.ts'

/** The document has the structure that its specification asks for. */
const structure: LintFunction = (_input, _options, { document }) =>
  validateStructure(document).map(({ message, path }) => ({ message, path }))
export default structure
