import { isIP } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import ipaddr from 'ipaddr.js';
import proxyAddress from 'proxy-addr';
import type { HttpContext } from './routing/variables.ts';

/** Bits of an IPv6 address that one visitor is known by: whoever has one address has the rest of its network too. */
const IPV6_PREFIX = 64;

/** Says which network address a request is counted under. */
export type ClientAddress = (context: HttpContext) => string;

/** Whether a text is an address, or a range such as `10.0.0.0/8` or `uniquelocal`, that proxies can be told by. */
export function isProxyRange(text: string): boolean {
  // The library also takes `10` for 0.0.0.10.
  if (!isIP(text.split('/')[0]!) && !/^(loopback|linklocal|uniquelocal)$/.test(text)) return false;
  try {
    proxyAddress.compile(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The network address that a request is counted under: the peer of its connection or, where that is one of the trusted
 * proxies, the last hop of X-Forwarded-For that is none. What stands before that hop anyone could have written. IPv6
 * counts by /64, an IPv4 address that is written as IPv6 as what it is; requests over no connection (in-process) share one.
 *
 * @throws RangeError when a range is none.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const wrong = trustedProxies.find((range) => !isProxyRange(range));
  if (wrong !== undefined) throw new RangeError(`${JSON.stringify(wrong)} is not an address range.`);
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return ({ env }) => {
    const { incoming } = (env ?? {}) as Partial<HttpBindings>;
    if (!incoming) return 'in-process';
    const hops = proxyAddress.all(incoming, isTrusted);
    // A hop that is no address stands for nobody: the proxy that passed it on is counted.
    return keyOf(hops.findLast((hop) => isIP(hop)));
  };
}

function keyOf(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${IPV6_PREFIX}`)}/${IPV6_PREFIX}`;
}
