import { SvcError } from '../../src/errors.ts'

/** The refusal of a text that says nothing about rules. */
export const rulesMissing = (): SvcError =>
  new SvcError('custom-rules-invalid', {
    reason: 'the property "rules" is missing; write "rules: {}" to remove all custom rules',
    pointer: '',
    line: 1,
    column: 1,
    problems: [],
  })

/**
 * Refuses a text without any content as the custom rules to save: it would remove them all by mistake.
 * @throws SvcError `custom-rules-invalid`
 */
export function assertNotEmpty(yaml: string): void {
  if (yaml.trim() === '') throw rulesMissing()
}
