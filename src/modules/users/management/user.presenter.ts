import type { User } from '../entities/user.entity.js';
import { presentPerson } from '../public/person.presenter.js';
import type { PresentedUser } from './dto/user.response.dto.js';

export const presentUser = (user: User): PresentedUser => ({
  ...presentPerson(user),
  plan: user.plan,
  is_operator: user.operator,
  created_at: user.createdAt.toISOString(),
});
