/** `/v1/customers`: make and delete. */

import type { Account } from "./account.ts";
import type { Customer, DeletedCustomer } from "./objects.ts";
import { noSuch, onlyInLiveMode } from "./refusal.ts";

export const CUSTOMER_SHAPE = { email: "text", metadata: "map" } as const;

export function createCustomer(
  account: Account,
  { email = null, metadata = {} }: Partial<Customer>,
): Customer {
  const customer: Customer = {
    id: account.newId("cus", 14),
    object: "customer",
    created: account.at(),
    email,
    livemode: false,
    metadata,
  };
  account.customers.set(customer.id, customer);
  account.emit("customer.created", customer);
  return customer;
}

/** The customer that a parameter names. */
export function customerNamed(account: Account, id: string, param = "customer"): Customer {
  const customer = account.customers.get(id);
  if (account.liveOnly.has(id)) throw onlyInLiveMode(400, "customer", id, param);
  if (customer === undefined || isDeleted(customer)) throw noSuch("customer", id, param);
  return customer;
}

/** `ended` cancels what the customer has. */
export function deleteCustomer(
  account: Account,
  id: string,
  ended: (customerId: string) => void,
): DeletedCustomer {
  const customer = customerNamed(account, id, "id");
  ended(id);
  const deleted: DeletedCustomer = { id, object: "customer", deleted: true };
  account.customers.set(id, deleted);
  account.emit("customer.deleted", customer);
  return deleted;
}

function isDeleted(customer: Customer | DeletedCustomer): customer is DeletedCustomer {
  return customer["deleted"] === true;
}
