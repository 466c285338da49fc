/** What is set of a cookie beside its name and value. */
export interface CookieOptions {
  readonly path: string
  /** Seconds; 0 makes a browser forget it. */
  readonly maxAge: number
  /** "lax" is sent when another site leads here, "strict" is not. */
  readonly sameSite: 'lax' | 'strict'
  /** Sent over https only. */
  readonly secure: boolean
}

/** The Set-Cookie header of a cookie that scripts of pages cannot read. */
export const setCookie = (name: string, value: string, options: CookieOptions): string =>
  new Bun.Cookie(name, value, { ...options, httpOnly: true }).serialize()
