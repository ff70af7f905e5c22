/** How an organization presents its share pages. */
export interface Brand {
  /** `#rrggbb`, as it was chosen. */
  readonly accent: string | null;
  /** The host name in addresses of its share pages; null: that of the service. */
  readonly domain: string | null;
  /** The version of its logo; see `logoPath`. */
  readonly logo: string | null;
  /** Of the organization: what its logo says to those who do not see it. */
  readonly name: string;
}

/** The `Brand` of the organization `o`, as JSON. */
export const BRAND = `json_build_object(
  'accent', o.branding_accent, 'domain', o.branding_domain, 'logo', o.branding_logo, 'name', o.name)`;

/** The path of a logo, which everyone may load. */
export const logoPath = (version: string): string => `/assets/logos/${version}`;
