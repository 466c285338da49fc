/** The JSON object of a text that a person wrote; what is wrong with it, where it is none. */
export const readObject = (text: string): Record<string, unknown> | string => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : 'Write one JSON object.'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
