/** A page of this service outside of the application to come back to: documentation or a portal; null for anything else. */
export const outside = (back: string | null): string | null =>
  back !== null && /^\/(?:v1\/swagger|p)\/[^\\\s]*$/.test(back) && !back.includes('//') ? back : null
